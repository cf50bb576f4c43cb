import { create } from 'zustand'

/** The page fills the window: sidebar, header and tabs step aside. */
export const useMaximised = create<{ maximised: boolean }>(() => ({ maximised: false }))

export const setMaximised = (maximised: boolean): void => useMaximised.setState({ maximised })
