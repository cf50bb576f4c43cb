import { create } from 'zustand'

export const useSwitcher = create<{ open: boolean }>(() => ({ open: false }))

export const openOrganisationSwitcher = (): void => useSwitcher.setState({ open: true })

export const closeOrganisationSwitcher = (): void => useSwitcher.setState({ open: false })
