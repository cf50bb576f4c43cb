import {
  AppError,
  commonErrors,
  type Draft,
  type ErrorSpec,
  identityErrors,
  menu,
  menuType,
  type Patch,
} from '@campanile/contract'
import type { Call } from '../../kit/call.ts'
import { insertRow, removeRows, updateRow } from '../../kit/rows.ts'
import { lockMenus, type MenuRow, readMenus } from './menu.store.ts'
import { menuTable } from './menu.table.ts'

type Shape = Pick<MenuRow, 'type' | 'parentId' | 'url' | 'perms'>

/** What the product itself relies on; names, places, icons and visibility are people's own. */
const productsOwn = ['url', 'perms'] as const

/** The screen where hidden entries are shown again, when somebody can get there. */
const inSight = (all: readonly MenuRow[]): MenuRow | undefined => {
  const screen = all.find((row) => row.perms === menu.perms.list)
  for (let at = screen; at; at = all.find((row) => row.menuId === at?.parentId)) if (!at.visible) return undefined
  return screen
}

const placeOf = ({ visible, parentId }: Patch<typeof menu>, row: MenuRow) => ({
  visible: visible ?? row.visible,
  parentId: parentId === undefined ? row.parentId : parentId,
})

export const createMenus = () => {
  /** Buttons hang under a menu, menus and directories under a directory or at the top. */
  const mustHang = (all: readonly MenuRow[], entry: Shape, id: number | null) => {
    const wrong = new AppError(identityErrors.menuParentMissing)
    if (entry.parentId === null) {
      if (entry.type === menuType.button) throw wrong
      return
    }
    const parent = all.find((row) => row.menuId === entry.parentId)
    const wanted = entry.type === menuType.button ? menuType.menu : menuType.directory
    if (parent?.type !== wanted) throw wrong
    // Up to the top without meeting itself: no entry stands under itself.
    for (let at: MenuRow | undefined = parent; at; at = all.find((row) => row.menuId === at?.parentId))
      if (at.menuId === id) throw wrong
  }

  const mustBeWhole = (all: readonly MenuRow[], entry: Shape, id: number | null) => {
    if (entry.type === menuType.menu && !entry.url) throw new AppError(identityErrors.menuRouteRequired)
    if (entry.type === menuType.button && !entry.perms)
      throw new AppError({ ...commonErrors.missingParameter, field: 'perms' }, { field: 'perms' })
    const twin = entry.perms && all.some((row) => row.perms === entry.perms && row.menuId !== id)
    if (twin) throw new AppError(identityErrors.menuPermissionExists)
    mustHang(all, entry, id)
  }

  const create = async ({ db, scope, input }: Call<Draft<typeof menu>>) => {
    await lockMenus(db)
    const { type, parentId = null, url = null, perms = null } = input
    mustBeWhole(await readMenus(db), { type, parentId, url, perms }, null)
    return { id: await insertRow(db, menuTable, scope, input) }
  }

  const update = async (call: Call<Patch<typeof menu>>) => {
    const { db, input } = call
    await lockMenus(db)
    const all = await readMenus(db)
    const row = all.find((entry) => entry.menuId === input.id)
    if (!row) throw new AppError(commonErrors.resourceNotFound)
    const wanted = { ...row, ...input }
    if (row.builtIn && productsOwn.some((name) => (wanted[name] ?? null) !== row[name]))
      throw new AppError(identityErrors.menuBuiltIn)
    mustBeWhole(all, wanted, row.menuId)
    const screen = inSight(all)
    if (screen && !inSight(all.map((entry) => (entry === row ? { ...row, ...placeOf(input, row) } : entry)))) {
      const field = input.visible === false ? 'visible' : 'parentId'
      throw new AppError({ ...identityErrors.menuBuiltIn, field }, { url: screen.url })
    }
    await updateRow(call, menuTable, input)
    return {}
  }

  const remove = async (call: Call<number[]>) => {
    const { db, scope, input: ids } = call
    await lockMenus(db)
    const all = await readMenus(db)
    const refuse = (spec: ErrorSpec, row: MenuRow) => {
      throw new AppError(spec, { id: row.menuId })
    }
    // What can never be deleted is said first, wherever it stands among the others.
    for (const row of all) if (ids.includes(row.menuId) && row.builtIn) refuse(identityErrors.menuBuiltIn, row)
    for (const row of all)
      if (row.parentId && ids.includes(row.parentId) && !ids.includes(row.menuId))
        refuse(identityErrors.menuHasChildren, row)
    await removeRows(db, menuTable, scope, ids)
    const names = all.filter((row) => ids.includes(row.menuId)).map((row) => row.name.en)
    call.note({ description: names.join(', ') })
    return { removed: ids.length }
  }

  return { create, update, remove }
}
