import type { navigation } from '@campanile/contract/identity'
import type { AnswerOf } from '@campanile/contract/kit'
import { create } from 'zustand'
import { api } from '../api.ts'
import { keepPermissionsIn } from '../granted.ts'
import { type Area, toAreas } from './areas.ts'
import { loadFavourites } from './favourites.ts'
import {
  type MenuNode,
  type MenuRoute,
  toMenuRoutes,
  toMenuTree,
  toUnusedRoutes,
  type Unused,
  withHome,
} from './menu.ts'

type Navigation = {
  loaded: boolean
  /** As sent; what they grant is decided in permissions.ts. */
  permissions: readonly string[]
  tree: readonly MenuNode[]
  /** Every page that opens, those of unused modules last. */
  routes: readonly MenuRoute[]
  unused: Unused
  /** The same tree as the menu is drawn. */
  areas: readonly Area[]
}

const none: Navigation = { loaded: false, permissions: [], tree: [], routes: [], unused: [], areas: [] }

export const useNavigationMenu = create<Navigation>(() => none)
keepPermissionsIn(() => useNavigationMenu.getState().permissions)

export async function loadNavigation(): Promise<void> {
  // What stands on top of the entries comes when it comes: no page waits for it.
  void loadFavourites()
  const { permissions, navigationMenu, unused } = await api.call<AnswerOf<typeof navigation>>(
    'GET',
    '/api/v1/oauth/navigation',
  )
  const tree = withHome(toMenuTree(navigationMenu))
  const routes = [...toMenuRoutes(tree), ...toUnusedRoutes(unused)]
  useNavigationMenu.setState({ loaded: true, permissions, tree, routes, unused, areas: toAreas(tree) })
}

/** Signed out: no dynamic route may outlive its session. */
export const forgetNavigation = (): void => useNavigationMenu.setState(none)
