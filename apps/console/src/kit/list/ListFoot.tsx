import { useEffect, useEffectEvent } from 'react'
import { useSettings } from '../../shell/settings/settings.ts'
import type { Reader } from '../reader.ts'
import { Pager } from './Pager.tsx'
import type { ResourceList } from './useResourceList.ts'

const keys = [
  ['J', 'K', 'move'],
  ['X', 'tick'],
  ['↵', 'open'],
] as const

interface Props {
  list: ResourceList
  reader: Reader
  narrow: boolean
  /** What a key would do here: rows can be chosen, rows can be opened. */
  ticks: boolean
  opens: boolean
}

/** Which rows of how many these are, and the way to the others. */
export function ListFoot({ list, reader, narrow, ticks, opens }: Props) {
  const { t, number } = reader
  const showKeys = useSettings((settings) => settings.shortcuts) && !narrow
  const works: Readonly<Record<string, boolean>> = { tick: ticks, open: opens }
  const { page, pageSize } = list.state
  const first = (page - 1) * pageSize + 1
  const last = Math.min(list.total, page * pageSize)
  return (
    <div className="list-foot">
      {showKeys && (
        <span className="key-hints" aria-hidden="true">
          {keys
            .filter((each) => works[each.at(-1) ?? ''] !== false)
            .map((each) => (
              <span key={each[0]}>
                {each.slice(0, -1).map((key) => (
                  <kbd key={key}>{key}</kbd>
                ))}{' '}
                {t(`kit.keys.${each.at(-1)}`)}
              </span>
            ))}
        </span>
      )}
      <span className="list-range figure">
        {t('kit.pages.range', { first: number(first), last: number(last), total: number(list.total) })}
      </span>
      <Pager
        page={page}
        pageSize={pageSize}
        total={list.total}
        onPage={list.setPage}
        sizes={list.sizes}
        onPageSize={list.setPageSize}
        narrow={narrow}
      />
    </div>
  )
}

/** Tells the list how much of the window its rows have, once there are some. */
export const useMeasuredRoom = (list: ResourceList, body: { current: HTMLElement | null }, narrow: boolean) => {
  const measured = useEffectEvent(list.sizes.measured)
  const some = list.rows.length > 0
  useEffect(() => {
    const whole = body.current
    const frame = whole?.querySelector<HTMLElement>('.list-frame')
    if (!whole || !frame || narrow || !some) return
    const measure = () => {
      const head = frame.querySelector<HTMLElement>('thead')
      const row = frame.querySelector<HTMLElement>('tbody tr[data-row]')
      const foot = whole.querySelector<HTMLElement>('.list-foot')
      if (!head || !row || !foot || row.offsetHeight === 0) return
      // Lines around the frame, and a bar that scrolls sideways.
      const edges = 2 + frame.offsetHeight - frame.clientHeight
      const forRows = whole.clientHeight - head.offsetHeight - foot.offsetHeight - edges
      measured({ rest: window.innerHeight - forRows, row: row.offsetHeight })
    }
    // It hears of another size once the page has been laid out: asking earlier would have it laid out twice.
    const watch = new ResizeObserver(measure)
    for (const each of [whole, frame.querySelector('table')]) if (each) watch.observe(each)
    return () => watch.disconnect()
  }, [body, narrow, some])
}
