import { DownOutlined } from '@ant-design/icons'
import { type RefObject, useLayoutEffect, useRef, useState } from 'react'
import { MenuButton } from '../../shell/menus/MenuButton.tsx'
import type { AnyRow, Reader } from '../reader.ts'
import { countSelected, everything, nothing, useSelection } from './selection.ts'
import { bulkLimit, type ResourceList } from './useResourceList.ts'

/** What a bulk button is given: how many, and the ids when it comes to it. */
export interface Chosen {
  count: number
  ids: () => Promise<number[]>
  /** The whole rows, where ids are not enough. */
  rows: () => Promise<AnyRow[]>
}
export interface BulkAction {
  label: string
  run: (chosen: Chosen) => unknown
}

/** Room for the count and "all matching", and for one button of usual words. */
const roomForCount = 380
const roomForButton = 130
const most = 4

/** How many buttons stand beside the menu in a bar of this width. */
export const buttonsInSight = (width: number): number =>
  Math.max(0, Math.min(most, Math.floor((width - roomForCount) / roomForButton)))

/** The number of all that match is never cut: on a phone it stands with one word. */
export const hasRoomForWords = (width: number): boolean => width === 0 || width >= 440

/** Says how many rows are chosen, offers all that match, and what may be done with them. One line, as high as the filters. */
export function SelectionBar({ list, reader, actions }: { list: ResourceList; reader: Reader; actions: BulkAction[] }) {
  const selection = useSelection(list.selection)
  const bar = useRef<HTMLElement>(null)
  const width = useWidth(bar)
  const inSight = buttonsInSight(width)
  const [running, setRunning] = useState(false)
  const count = countSelected(selection, list.total)
  const { t } = reader
  const tooMany = count > bulkLimit
  const all = { count: list.total, shown: reader.number(list.total) }
  const run = async (action: BulkAction | undefined) => {
    setRunning(true)
    try {
      await action?.run({ count, ids: list.selectedIds, rows: list.selectedRows })
    } finally {
      setRunning(false)
    }
  }
  const further = actions.slice(inSight).map(({ label }) => ({ key: label, label, disabled: tooMany || running }))
  return (
    <section ref={bar} className="selection-bar" aria-label={t('kit.selection.label')}>
      <strong role="status">{t('kit.selection.count', { count, shown: reader.number(count) })}</strong>
      {selection.kind === 'some' && list.total > count && (
        <button
          type="button"
          className="underlined"
          aria-label={t('kit.selection.allMatching', all)}
          onClick={() => list.selection.set(everything)}
        >
          {t(hasRoomForWords(width) ? 'kit.selection.allMatching' : 'kit.selection.all', all)}
        </button>
      )}
      {tooMany && <span className="too-many">{t('kit.selection.tooMany', { limit: reader.number(bulkLimit) })}</span>}
      <span className="spread" />
      {actions.slice(0, inSight).map((action) => (
        <button key={action.label} type="button" disabled={tooMany || running} onClick={() => run(action)}>
          {action.label}
        </button>
      ))}
      {further.length > 0 && (
        <MenuButton
          placement="bottomRight"
          content={{ items: further, choose: (key) => run(actions.find(({ label }) => label === key)) }}
        >
          {t(inSight === 0 ? 'kit.list.actions' : 'kit.selection.more')} <DownOutlined />
        </MenuButton>
      )}
      <button type="button" className="underlined" onClick={() => list.selection.set(nothing)}>
        {t('kit.selection.clear')}
      </button>
    </section>
  )
}

const useWidth = (element: RefObject<HTMLElement | null>): number => {
  const [width, setWidth] = useState(0)
  useLayoutEffect(() => {
    const bar = element.current
    if (!bar) return
    const measure = () => setWidth(bar.clientWidth)
    const watch = new ResizeObserver(measure)
    watch.observe(bar)
    measure()
    return () => watch.disconnect()
  }, [element])
  return width
}
