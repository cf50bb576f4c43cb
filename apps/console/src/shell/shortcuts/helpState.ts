import { create } from 'zustand'

export const useShortcutHelp = create<{ open: boolean }>(() => ({ open: false }))

export const openShortcutHelp = (): void => useShortcutHelp.setState({ open: true })
