import { create } from 'zustand'

export const useNotificationDrawer = create<{ open: boolean }>(() => ({ open: false }))

export const openNotifications = (): void => useNotificationDrawer.setState({ open: true })

export const closeNotifications = (): void => useNotificationDrawer.setState({ open: false })
