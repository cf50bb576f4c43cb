import { create } from 'zustand'
import { later } from '../later.tsx'

export const useShortcutHelp = create<{ open: boolean }>(() => ({ open: false }))

export const openShortcutHelp = (): void => useShortcutHelp.setState({ open: true })

export const closeShortcutHelp = (): void => useShortcutHelp.setState({ open: false })

export const ShortcutHelp = later(async () => (await import('./ShortcutHelp.tsx')).ShortcutHelp, ['shortcuts'])
