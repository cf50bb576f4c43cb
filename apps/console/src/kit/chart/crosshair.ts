import { createContext, createElement, type ReactNode, useContext, useState } from 'react'

/** The moment somebody points at, and how another is pointed at. */
type Crosshair = readonly [at: number | undefined, point: (t: number | undefined) => void]

const Shared = createContext<Crosshair | undefined>(undefined)

/** Charts in here point at the same moment. */
export function SharedCrosshair({ children }: { children: ReactNode }) {
  return createElement(Shared.Provider, { value: useState<number>() }, children)
}

/** The crosshair of the charts around it, or its own. */
export const useCrosshair = (): Crosshair => {
  const own = useState<number>()
  return useContext(Shared) ?? own
}
