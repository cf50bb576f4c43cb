import type { ReactNode } from 'react'
import { create } from 'zustand'

type Render = (onClose: () => void) => ReactNode

/** What stands over every page and belongs to none: opened by a function, closed by itself. */
export const useOver = create<{ render: Render | undefined }>(() => ({ render: undefined }))

const close = () => useOver.setState({ render: undefined })

export const showOver = (render: Render): void => useOver.setState({ render })

export function Over(): ReactNode {
  return useOver((state) => state.render)?.(close)
}
