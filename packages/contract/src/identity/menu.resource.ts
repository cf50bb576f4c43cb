import { z } from 'zod'
import {
  answering,
  choice,
  defineResource,
  mono,
  names,
  number,
  once,
  optional,
  type RefTarget,
  readOnly,
  ref,
  startingWith,
  toggle,
  unlisted,
} from '../kit/index.ts'

/** Directory, menu and button, in that order; a button is a permission without a screen. */
export const menuType = { directory: 0, menu: 1, button: 2 } as const

/** One entry of the navigation or one permission below it. The tree drives what people see and what roles can grant. */
export const menu = defineResource({
  name: 'menu',
  wire: { path: '/api/v1/oauth/menus' },
  fields: {
    type: once(choice([0, 1, 2])),
    parentId: optional(ref((): RefTarget => menu, 'parentName')),
    parentName: readOnly(unlisted(optional(names(64)))),
    name: answering({ missing: 21151 }, names(64)),
    url: { ...optional(mono(128, /^\/[A-Za-z0-9_\-/:]*$/)), when: { field: 'type', is: [0, 1] } },
    perms: { ...optional(mono(128, /^[A-Za-z0-9]+(:[A-Za-z0-9*]+){1,3}$/)), when: { field: 'type', is: [1, 2] } },
    icon: { ...optional(mono(64, /^[A-Za-z0-9-]+$/)), when: { field: 'type', is: [0, 1] } },
    orderNum: startingWith(0, number(0, 9999)),
    visible: toggle(true),
    builtIn: readOnly(toggle()),
    /** Only administrators of the installation itself may hold it. */
    platform: readOnly(toggle()),
  },
  list: {
    columns: ['name', 'icon', 'orderNum', 'type', 'url', 'perms', 'visible'],
    filters: ['type'],
    sort: 'orderNum',
  },
  form: { basics: ['type', 'parentId', 'name', 'url', 'perms', 'icon', 'orderNum', 'visible'] },
  perms: {
    list: 'system:menu:list',
    create: 'system:menu:add',
    update: 'system:menu:edit',
    remove: 'system:menu:delete',
  },
  scope: 'platform',
})

/** An entry as `navigation` sends it; `name` is JSON text with the three languages. */
export interface MenuItem {
  menuId: number
  /** Which entry of the product it is; null for those people added. */
  key: string | null
  parentId: number | null
  name: string
  icon: string | null
  orderNum: number
  type: 0 | 1 | 2
  url: string | null
  perms: string | null
  list: MenuItem[]
}
export const menuItem: z.ZodType<MenuItem> = z
  .object({
    menuId: z.number(),
    key: z.string().nullable(),
    parentId: z.number().nullable(),
    name: z.string(),
    icon: z.string().nullable(),
    orderNum: z.number().int(),
    type: z.literal([0, 1, 2]),
    url: z.string().nullable(),
    perms: z.string().nullable(),
    get list() {
      return z.array(menuItem)
    },
  })
  .meta({ id: 'MenuItem' })
