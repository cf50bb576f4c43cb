import { type ReactNode, useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { searchWanted } from '../../shell/shortcuts/search.ts'
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

/**
 * One place for filters and for what is chosen: a tick puts the one where the other was, and nothing else moves. Whoever asks
 * for the search by its key gets the filters back for as long as the focus is in them; the rows stay chosen.
 */
export function ListControls({ list, reader, actions, children }: Props) {
  const chosen = countSelected(useSelection(list.selection), list.total) > 0
  const filters = useRef<HTMLDivElement>(null)
  const [searching, setSearching] = useState(false)
  useEffect(() => {
    const row = filters.current
    const show = () => {
      // What is hidden takes no focus, so it is drawn first.
      flushSync(() => setSearching(true))
      row?.querySelector<HTMLElement>('[data-search]')?.focus()
    }
    const leave = ({ relatedTarget }: FocusEvent) => row?.contains(relatedTarget as Node | null) || setSearching(false)
    row?.addEventListener(searchWanted, show)
    row?.addEventListener('focusout', leave)
    return () => {
      row?.removeEventListener(searchWanted, show)
      row?.removeEventListener('focusout', leave)
    }
  }, [])
  const away = chosen && !searching
  return (
    <div className="list-controls">
      <div className="list-filters" ref={filters} data-away={away}>
        {children}
      </div>
      {away && <SelectionBar list={list} reader={reader} actions={actions} />}
    </div>
  )
}
