import type { Modal } from 'antd'
import { create } from 'zustand'
import { later } from './later.tsx'

export type Dialogs = ReturnType<typeof Modal.useModal>[0]

/** Whether anybody has asked something yet; the code of dialogs comes with the first question. */
export const useDialogsWanted = create<{ wanted: boolean }>(() => ({ wanted: false }))

let waiting: ((dialogs: Dialogs) => void)[] = []
let here: Dialogs | undefined

/** The dialogs that functions open, in the theme and language of the shell. */
export const dialogs = (): Promise<Dialogs> =>
  new Promise((resolve) => {
    if (here) return resolve(here)
    waiting.push(resolve)
    useDialogsWanted.setState({ wanted: true })
  })

/** Called by what shows them when it is there, and without anything when it goes. */
export function offerDialogs(offered: Dialogs | undefined): void {
  here = offered
  if (!offered) return
  for (const resolve of waiting) resolve(offered)
  waiting = []
}

/** Their code could not be fetched: nothing was asked, and asking again tries again. */
export function forgetQuestions(): void {
  waiting = []
  useDialogsWanted.setState({ wanted: false })
}

export const DialogHost = later(async () => (await import('./DialogHost.tsx')).DialogHost)
