import { cameBack } from './unsaved.ts'

/** The file `over.tsx` of a room that opens something over tabs: it opens again what was half-filled. */
interface RoomOver {
  readonly reopen: (kept: never, tab: string) => void
}
const rooms = import.meta.glob<RoomOver>('../../domains/*/over.tsx')

const reopened = new Set<string>()

/** A form kept as `over.<room>` came back with the page: its room is asked to open it, in the tab it stood over. */
export async function reopenOver(tabKey: string, forms: readonly string[]): Promise<void> {
  for (const form of forms) {
    // A tab that is looked at again before the code is here asks a second time.
    const name = `${tabKey} ${form}`
    if (reopened.has(name)) continue
    reopened.add(name)
    const kept = cameBack(tabKey, form)
    const room = await rooms[`../../domains/${form.slice('over.'.length)}/over.tsx`]?.()
    room?.reopen(kept as never, tabKey)
  }
}
