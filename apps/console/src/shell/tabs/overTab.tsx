import { Fragment, type ReactNode, useEffect } from 'react'
import { create } from 'zustand'
import { showError } from '../feedback.ts'
import { placeNow } from './place.ts'
import { cameBack, formsThatCameBack } from './unsaved.ts'

interface Opened {
  readonly id: number
  readonly tab: string
  readonly draw: (close: () => void) => ReactNode
}

const useOpened = create<{ opened: readonly Opened[] }>(() => ({ opened: [] }))
let last = 0

const close = (id: number) => useOpened.setState(({ opened }) => ({ opened: opened.filter((each) => each.id !== id) }))

/**
 * Opens something over the tab in front, from wherever it is asked for: a list, the palette, a shortcut. It stays with that
 * tab, behind another one too, until it is closed. Give it what comes `later`.
 */
export function openOver(draw: Opened['draw'], tab = placeNow()?.path.split('?')[0] ?? ''): void {
  last += 1
  const id = last
  useOpened.setState(({ opened }) => ({ opened: [...opened, { id, tab, draw }] }))
}

/** The file `over.tsx` of a room that opens something over tabs: it opens again what was half-filled. */
interface RoomOver {
  readonly reopen: (kept: never, tab: string) => void
}
const rooms = import.meta.glob<RoomOver>('../../domains/*/over.tsx')

const reopened = new Set<string>()

/** A form kept as `over.<room>` came back with the page: its room is asked to open it, in the tab it stood over. */
async function reopenOver(tabKey: string): Promise<void> {
  for (const form of formsThatCameBack(tabKey).filter((each) => each.startsWith('over.'))) {
    // A tab that is looked at again before the code is here asks a second time.
    const name = `${tabKey} ${form}`
    if (reopened.has(name)) continue
    reopened.add(name)
    const kept = cameBack(tabKey, form)
    const room = await rooms[`../../domains/${form.slice('over.'.length)}/over.tsx`]?.()
    room?.reopen(kept as never, tabKey)
  }
}

/** What was opened over one tab. */
export function OverTab({ tabKey }: { tabKey: string }) {
  useEffect(() => void reopenOver(tabKey).catch(showError), [tabKey])
  const opened = useOpened((state) => state.opened)
  return opened
    .filter(({ tab }) => tab === tabKey)
    .map(({ id, draw }) => <Fragment key={id}>{draw(() => close(id))}</Fragment>)
}
