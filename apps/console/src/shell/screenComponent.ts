import { type ComponentType, lazy } from 'react'
import type { Screen } from './screens.ts'

const loaded = new Map<Screen, ComponentType>()
const pending = new Map<Screen, ComponentType>()

/** Fetches a screen's code during navigation, so that it renders at once when the address changes. */
export async function preloadScreen(screen: Screen): Promise<void> {
  if (loaded.has(screen)) return
  try {
    loaded.set(screen, (await screen.load()).default)
  } catch {
    // Rendering asks again and shows the failure where the page would be.
  }
}

/** The same component for the same screen every time: another identity would throw its state away. */
export function screenComponent(screen: Screen): ComponentType {
  const ready = pending.get(screen) ?? loaded.get(screen)
  if (ready !== undefined) return ready
  const component = lazy(() =>
    screen.load().catch((error: unknown) => {
      // A failed load must not be remembered, or Retry could never succeed.
      pending.delete(screen)
      throw error
    }),
  )
  pending.set(screen, component)
  return component
}
