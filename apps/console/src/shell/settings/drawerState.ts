import { create } from 'zustand'
import { later } from '../later.tsx'

export const useSettingsDrawer = create<{ open: boolean }>(() => ({ open: false }))

export const openSettings = (): void => useSettingsDrawer.setState({ open: true })

export const closeSettings = (): void => useSettingsDrawer.setState({ open: false })

export const SettingsDrawer = later(async () => (await import('./SettingsDrawer.tsx')).SettingsDrawer, ['settings'])
