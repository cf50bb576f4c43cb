import type { Modal } from 'antd'
import { useEffect } from 'react'
import { create } from 'zustand'
import { later } from './later.tsx'

export type Dialogs = ReturnType<typeof Modal.useModal>[0]

/** Pages on which something has been asked; the code of dialogs comes with the first question. */
const useAsking = create<{ places: readonly string[] }>(() => ({ places: [] }))

const waiting = new Map<string, ((dialogs: Dialogs) => void)[]>()
const here = new Map<string, Dialogs>()
let front = ''

/** The dialogs that functions open: over the page in front, where they stay when another tab is looked at. */
export const dialogs = (): Promise<Dialogs> =>
  new Promise((resolve) => {
    const present = here.get(front)
    if (present) return resolve(present)
    waiting.set(front, [...(waiting.get(front) ?? []), resolve])
    const { places } = useAsking.getState()
    if (!places.includes(front)) useAsking.setState({ places: [...places, front] })
  })

/** Called by what shows them when it is there, and without anything when it goes. */
export function offerDialogs(place: string, offered: Dialogs | undefined): void {
  if (!offered) return void here.delete(place)
  here.set(place, offered)
  for (const resolve of waiting.get(place) ?? []) resolve(offered)
  waiting.delete(place)
}

/** Their code could not be fetched: nothing was asked, and asking again tries again. */
function forgetQuestions(place: string): void {
  waiting.delete(place)
  useAsking.setState(({ places }) => ({ places: places.filter((each) => each !== place) }))
}

const DialogHost = later(async () => (await import('./DialogHost.tsx')).DialogHost)

/** Where the questions of a page stand. */
export function Questions({ place }: { place: string }) {
  const asking = useAsking(({ places }) => places.includes(place))
  // Runs whenever the page comes to the front, because one in the background has its effects taken away.
  useEffect(() => {
    front = place
  }, [place])
  return asking && <DialogHost place={place} onClose={() => forgetQuestions(place)} />
}
