import { create } from 'zustand'
import { later } from '../later.tsx'

export const useNotificationDrawer = create<{ open: boolean }>(() => ({ open: false }))

export const openNotifications = (): void => useNotificationDrawer.setState({ open: true })

export const closeNotifications = (): void => useNotificationDrawer.setState({ open: false })

export const NotificationDrawer = later(
  async () => (await import('./NotificationDrawer.tsx')).NotificationDrawer,
  ['notifications'],
)
