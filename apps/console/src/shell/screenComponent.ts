import { type ComponentType, lazy } from 'react'
import type { Screen, ScreenModule } from './screens.ts'

const loaded = new Map<Screen, ComponentType>()
const asking = new Map<Screen, NonNullable<ScreenModule['ask']>>()
const pending = new Map<Screen, ComponentType>()

/** Fetches a screen's code during navigation, so that it renders at once when the address changes. */
export async function preloadScreen(screen: Screen): Promise<void> {
  if (loaded.has(screen)) return
  try {
    const { default: component, ask } = await screen.load()
    loaded.set(screen, component)
    if (ask) asking.set(screen, ask)
  } catch {
    // Rendering asks again and shows the failure where the page would be.
  }
}

/** For a page that is about to be drawn the first time, by somebody who may see it. */
export const askFirst = (screen: Screen, search: string): void => asking.get(screen)?.(search)

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
