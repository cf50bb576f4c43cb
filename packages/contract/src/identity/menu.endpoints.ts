import { z } from 'zod'
import { defineEndpoint, idInQuery, type Row } from '../kit/index.ts'
import { type MenuItem, menu } from './menu.resource.ts'

/** The whole tree with its buttons, hidden entries included: for the menu screen, not for navigation. */
export interface MenuNode extends Omit<MenuItem, 'name' | 'list'> {
  name: Row<typeof menu>['name']
  visible: boolean
  builtIn: boolean
  platform: boolean
  list: MenuNode[]
}

const administering = { perm: 'system:menu:list', scope: 'platform' } as const

export const menuTree = defineEndpoint<{ rows: MenuNode[] }>()({
  name: 'menuTree',
  method: 'GET',
  path: '/api/v1/oauth/menus',
  ...administering,
  input: z.strictObject({}),
})
export const menuDetail = defineEndpoint<Row<typeof menu>>()({
  name: 'menuDetail',
  method: 'GET',
  path: '/api/v1/oauth/menus/:id',
  ...administering,
  input: z.strictObject({ id: idInQuery(() => menu) }),
})

export const menuEndpoints = [menuTree, menuDetail]
