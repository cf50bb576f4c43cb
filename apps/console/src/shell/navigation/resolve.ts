import { matchPath } from 'react-router'
import { type Screen, screenOfMenu } from '../screens.ts'
import type { MenuRoute } from './menu.ts'

/** Open to everyone who is signed in; every other screen needs a menu entry, its own or its parent's. */
const openToAll = new Set(['/home', '/personal', '/personal/profile', '/404', '/401', '/login/scan'])

type Params = Readonly<Record<string, string | undefined>>

export type Resolution =
  | { kind: 'screen'; screen: Screen; params: Params; menu: MenuRoute | undefined }
  | { kind: 'redirect'; to: string }
  | { kind: 'forbidden'; screen: Screen }
  | { kind: 'notFound' }

type Known = { screens: readonly Screen[]; routes: readonly MenuRoute[] }

/** Static paths win over ones with parameters, whatever the order of registration. */
function best<T extends { path: string }>(
  candidates: readonly T[],
  path: string,
): { found: T; params: Params } | undefined {
  const exact = candidates.find((candidate) => candidate.path === path)
  if (exact !== undefined) return { found: exact, params: {} }
  for (const found of candidates) {
    const match = matchPath(found.path, path)
    if (match !== null) return { found, params: match.params }
  }
  return undefined
}

const isUsed = (route: MenuRoute) => route.unused === undefined

/** An address that only holds others, as `/device` does, leads to the first of them the menu opens. */
function firstBelow(path: string, routes: readonly MenuRoute[]): Resolution {
  const folder = `${path.replace(/\/+$/, '')}/`
  const page = routes.find(
    (route) => isUsed(route) && route.path.startsWith(folder) && !route.dynamic && route.redirect === undefined,
  )
  return page === undefined ? { kind: 'notFound' } : { kind: 'redirect', to: page.path }
}

export function resolve(path: string, { screens, routes }: Known): Resolution {
  const menu = best(routes, path)?.found
  const hit = best(screens, path)
  if (hit === undefined) {
    if (menu === undefined) return firstBelow(path, routes)
    if (menu.redirect !== undefined) return { kind: 'redirect', to: menu.redirect }
    return { kind: 'screen', screen: screenOfMenu(menu.path), params: {}, menu }
  }
  const { found: screen, params } = hit
  // A drill-down is looked for under its list, also when the menu knows its path.
  const entry = (screen.parentPath === undefined ? undefined : best(routes, screen.parentPath)?.found) ?? menu
  const permitted = openToAll.has(screen.path) || entry !== undefined
  return permitted ? { kind: 'screen', screen, params, menu: entry } : { kind: 'forbidden', screen }
}
