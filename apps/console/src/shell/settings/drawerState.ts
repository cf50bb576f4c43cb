import { create } from 'zustand'

export const useSettingsDrawer = create<{ open: boolean }>(() => ({ open: false }))

export const openSettings = (): void => useSettingsDrawer.setState({ open: true })

export const closeSettings = (): void => useSettingsDrawer.setState({ open: false })
