import type { ReactNode } from 'react'
import type { Reader } from '../reader.ts'
import { type BulkAction, SelectionBar } from './SelectionBar.tsx'
import { countSelected, useSelection } from './selection.ts'
import type { ResourceList } from './useResourceList.ts'

interface Props {
  list: ResourceList
  reader: Reader
  actions: BulkAction[]
  /** The row of filters. */
  children: ReactNode
}

/** One place for filters and for what is chosen: a tick puts the one where the other was, and nothing else moves. */
export function ListControls({ list, reader, actions, children }: Props) {
  const chosen = countSelected(useSelection(list.selection), list.total) > 0
  return (
    <div className="list-controls">
      <div className="list-filters" data-away={chosen}>
        {children}
      </div>
      {chosen && <SelectionBar list={list} reader={reader} actions={actions} />}
    </div>
  )
}
