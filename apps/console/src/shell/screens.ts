import type { ComponentType } from 'react'
import { loadTexts } from './texts.ts'

/** What the file of a page holds. */
export interface ScreenModule {
  default: ComponentType
  /** Asks for what the page shows first, so that the answer is on its way while the page is drawn. */
  ask?: (search: string) => void
}

/** A page of the console. The file that lists it is light; the page itself is loaded when it is first opened. */
export type Screen = {
  /** As the menu spells it, or with `:parameters` for a drill-down. */
  path: string
  load: () => Promise<ScreenModule>
  titleKey: string
  /** Stays alive in its tab while another is looked at. Default true. */
  kept?: boolean
  /** The list a drill-down belongs to: its permission and menu entry count. */
  parentPath?: string
  /** `blank` fills the window: big screens, print views. */
  layout?: 'main' | 'blank'
  /** Named on the 401 page when the menu does not open this screen. */
  perm?: string
  /** False for pages that are a message rather than a place (404, 401). */
  tab?: false
}

/** What a domain's index says of it. */
type Room = {
  screens: Screen[]
  /** Other rooms whose pickers and words its screens show; their texts are fetched with its own. */
  standsOn?: readonly string[]
}

const rooms = import.meta.glob<Room>('../domains/*/index.tsx', { eager: true })

const shellScreens: Screen[] = [
  { path: '/404', load: () => import('./pages/NotFound.tsx'), titleKey: 'shell.notFound.title', tab: false },
  { path: '/login/scan', load: () => import('./pages/ScanConfirm.tsx'), titleKey: 'shell.scan.title', tab: false },
  { path: '/401', load: () => import('./pages/NoPermission.tsx'), titleKey: 'shell.noPermission.title', tab: false },
]

const withTexts = (path: string, { screens, standsOn = [] }: Room): Screen[] => {
  const own = path.split('/').at(-2) ?? ''
  return screens.map((screen) => ({
    ...screen,
    load: async () => (await Promise.all([screen.load(), loadTexts([own, ...standsOn])]))[0],
  }))
}

export const allScreens: readonly Screen[] = [
  ...shellScreens,
  ...Object.entries(rooms).flatMap(([path, room]) => withTexts(path, room)),
]

const byMenu = new Map<string, Screen>()

/** A menu entry without a page of its own shows the list that is declared for its address. Always the same object, so that its tab stays alive. */
export function screenOfMenu(path: string): Screen {
  const known = byMenu.get(path)
  if (known !== undefined) return known
  const load = async () => ({ default: await (await import('../kit/list/DeclaredScreen.tsx')).declaredScreen(path) })
  const screen = { path, load, titleKey: 'shell.notAvailable.title' }
  byMenu.set(path, screen)
  return screen
}

/** The permission somebody lacks who asks for a declared list that their menu does not hold. */
export const permissionOfDeclared = async (path: string): Promise<string | undefined> =>
  (await (await import('./declared.ts')).loadDeclaredAt(path))?.perms.list
