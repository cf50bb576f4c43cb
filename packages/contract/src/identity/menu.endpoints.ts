import { z } from 'zod'
import { defineEndpoint, idInQuery, type Row, rowOf } from '../kit/index.ts'
import { type MenuItem, menu } from './menu.resource.ts'

/** The whole tree with its buttons, hidden entries included: for the menu screen, not for navigation. */
export interface MenuNode extends Omit<MenuItem, 'key' | 'name' | 'list'> {
  name: Row<typeof menu>['name']
  visible: boolean
  builtIn: boolean
  platform: boolean
  list: MenuNode[]
}
const menuNode: z.ZodType<MenuNode> = z
  .object({
    menuId: z.number(),
    parentId: z.number().nullable(),
    name: z.object({ en: z.string(), 'zh-cn': z.string(), 'zh-tw': z.string() }),
    icon: z.string().nullable(),
    orderNum: z.number().int(),
    type: z.literal([0, 1, 2]),
    url: z.string().nullable(),
    perms: z.string().nullable(),
    visible: z.boolean(),
    builtIn: z.boolean(),
    platform: z.boolean(),
    get list() {
      return z.array(menuNode)
    },
  })
  .meta({ id: 'MenuNode' })

const administering = { perm: 'system:menu:list', scope: 'platform' } as const

export const menuTree = defineEndpoint({
  name: 'menuTree',
  method: 'GET',
  path: '/api/v1/oauth/menus',
  ...administering,
  input: z.strictObject({}),
  answer: z.object({ rows: z.array(menuNode) }),
})
export const menuDetail = defineEndpoint({
  name: 'menuDetail',
  method: 'GET',
  path: '/api/v1/oauth/menus/:id',
  ...administering,
  input: z.strictObject({ id: idInQuery(() => menu) }),
  answer: rowOf(() => menu),
})

export const menuEndpoints = [menuTree, menuDetail]
