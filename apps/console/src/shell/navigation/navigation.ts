import type { navigation } from '@campanile/contract/identity'
import type { AnswerOf } from '@campanile/contract/kit'
import { create } from 'zustand'
import { api } from '../api.ts'
import { type MenuNode, type MenuRoute, toMenuRoutes, toMenuTree, withHome } from './menu.ts'

type Navigation = {
  loaded: boolean
  /** As sent; what they grant is decided in permissions.ts. */
  permissions: readonly string[]
  tree: readonly MenuNode[]
  routes: readonly MenuRoute[]
}

const none: Navigation = { loaded: false, permissions: [], tree: [], routes: [] }

export const useNavigationMenu = create<Navigation>(() => none)

export async function loadNavigation(): Promise<void> {
  const { permissions, navigationMenu } = await api.call<AnswerOf<typeof navigation>>('GET', '/api/v1/oauth/navigation')
  const tree = withHome(toMenuTree(navigationMenu))
  useNavigationMenu.setState({ loaded: true, permissions, tree, routes: toMenuRoutes(tree) })
}

/** Signed out: no dynamic route may outlive its session. */
export const forgetNavigation = (): void => useNavigationMenu.setState(none)
