import { matchPath } from 'react-router'
import { preloadScreen } from '../screenComponent.ts'
import { allScreens, screenOfMenu } from '../screens.ts'
import { loadShellTexts } from '../texts.ts'

/** Not every browser tells when it is idle. */
const idle = (): Promise<void> =>
  new Promise((resolve) => {
    if ('requestIdleCallback' in window) window.requestIdleCallback(() => resolve(), { timeout: 2_000 })
    else setTimeout(resolve, 200)
  })

const screenAt = (path: string) =>
  allScreens.find((screen) => screen.path === path) ??
  allScreens.find((screen) => matchPath(screen.path, path) !== null) ??
  screenOfMenu(path)

let begun = false

/**
 * The code of what opens after signing in, fetched and read while somebody types: step by step and only when the browser has
 * nothing else to do, so that no key waits for it. No data: nobody has signed in yet, and what they may see is not known.
 */
export async function prepareNext(target: string): Promise<void> {
  if (begun) return
  begun = true
  const path = target.split('?')[0] ?? target
  const steps = [
    loadShellTexts,
    // What Ant Design brings is read on its own, apart from the shell that is made of it.
    () => import('../../theme/antd.ts'),
    () => import('../layout/Shell.tsx'),
    () => preloadScreen(screenAt(path)),
  ]
  for (const step of steps) {
    await idle()
    // Whoever is away from the network signs in no faster; what is wanted then is asked for again.
    await step().catch(() => undefined)
  }
}
