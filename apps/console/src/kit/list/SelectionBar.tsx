import { useState } from 'react'
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

const inSight = 4

/** Says how many rows are chosen, offers all that match, and what may be done with them. */
export function SelectionBar({ list, reader, actions }: { list: ResourceList; reader: Reader; actions: BulkAction[] }) {
  const selection = useSelection(list.selection)
  const [running, setRunning] = useState(false)
  const count = countSelected(selection, list.total)
  if (count === 0) return null
  const { t } = reader
  const tooMany = count > bulkLimit
  const run = async (action: BulkAction | undefined) => {
    setRunning(true)
    try {
      await action?.run({ count, ids: list.selectedIds, rows: list.selectedRows })
    } finally {
      setRunning(false)
    }
  }
  const button = (action: BulkAction) => (
    <button key={action.label} type="button" disabled={tooMany || running} onClick={() => run(action)}>
      {action.label}
    </button>
  )
  const further = actions.slice(inSight).map(({ label }) => ({ key: label, label, disabled: tooMany || running }))
  return (
    <section className="selection-bar" aria-label={t('kit.selection.label')}>
      <strong role="status">{t('kit.selection.count', { count, shown: reader.number(count) })}</strong>
      {selection.kind === 'some' && list.total > count && (
        <button type="button" className="underlined" onClick={() => list.selection.set(everything)}>
          {t('kit.selection.allMatching', { count: list.total, shown: reader.number(list.total) })}
        </button>
      )}
      {tooMany && <span>{t('kit.selection.tooMany', { limit: reader.number(bulkLimit) })}</span>}
      <span className="spread" />
      {actions.slice(0, inSight).map(button)}
      {actions.length > inSight && (
        <MenuButton content={{ items: further, choose: (key) => run(actions.find(({ label }) => label === key)) }}>
          {t('kit.selection.more')} ⌄
        </MenuButton>
      )}
      <button type="button" className="underlined" onClick={() => list.selection.set(nothing)}>
        {t('kit.selection.clear')}
      </button>
    </section>
  )
}
