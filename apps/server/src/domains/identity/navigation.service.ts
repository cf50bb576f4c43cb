import {
  impliedPermissions,
  type MenuItem,
  menuType,
  moduleOf,
  organisationType,
  signSecret,
  userType,
} from '@campanile/contract'
import { type Actor, platformScopeFor, scopeFor } from '../../kit/actor.ts'
import type { Db } from '../../platform/db.ts'
import type { Services } from '../../services.ts'
import { findModules } from '../organisation/index.ts'
import { asTree, type MenuRow, readMenus } from './menu.store.ts'
import { entryNames } from './menu-sync.ts'

/** Held by whoever may do everything everywhere; the console looks at the first place of the list only (behaviour: roles.all-first). */
const everything = 'all'

const holdsEverything = (actor: Actor) => actor.grants.some((grant) => grant.permissions === everything)

export const createNavigation = ({ settings }: Pick<Services, 'settings'>) => {
  /** Entries of the installation itself count only for those who reach its root, others where any department is left. */
  const permits = (actor: Actor, row: Pick<MenuRow, 'perms' | 'platform'>) =>
    !row.perms || (row.platform ? platformScopeFor(actor, row.perms) : scopeFor(actor, row.perms)) !== null

  const toItem = ({ menuId, key, parentId, name, icon, orderNum, type, url, perms }: MenuRow): MenuItem => ({
    menuId,
    key,
    parentId,
    name: JSON.stringify(name),
    icon,
    orderNum,
    type,
    url,
    perms,
    list: [],
  })

  /** A parent with nothing left to show is not shown either (behaviour: console.empty-directory). */
  const pruned = (items: readonly MenuItem[]): MenuItem[] =>
    items
      .map((item) => ({ ...item, list: pruned(item.list) }))
      .filter((item) => item.type !== menuType.directory || item.list.length > 0)

  /** behaviour: roles.signing-keys */
  const keepsSigningKeys = async (actor: Actor) =>
    actor.department.type === organisationType.si &&
    actor.type === userType.safetyOfficer &&
    (await settings.get('signSecret'))

  const signingKeys = (rows: readonly MenuRow[]): MenuItem => ({
    menuId: -1,
    key: signSecret.entry.key,
    parentId: rows.find((row) => row.key === signSecret.entry.parentKey)?.menuId ?? null,
    name: JSON.stringify(entryNames(`menu.entry.${signSecret.entry.key}`)),
    icon: signSecret.entry.icon,
    orderNum: 9999,
    type: menuType.menu,
    url: signSecret.entry.url,
    perms: signSecret.permissions[0],
    list: [],
  })

  const read = async (db: Db, actor: Actor) => {
    const rows = await readMenus(db)
    const keys = await keepsSigningKeys(actor)
    const { unused, isUsed } = await findModules(db, actor)
    const granted = rows.filter((row) => permits(actor, row))
    const shown = granted.filter((row) => row.visible && row.type !== menuType.button).map(toItem)
    const permissions = [
      ...granted.flatMap((row) => row.perms ?? []),
      ...Object.keys(impliedPermissions).filter((perm) => scopeFor(actor, perm)),
      ...(keys ? signSecret.permissions : []),
    ]
    const used = shown.filter(({ perms }) => isUsed(perms))
    const tree = asTree(keys ? [...used, signingKeys(rows)] : used) as MenuItem[]
    return {
      permissions: holdsEverything(actor) ? [everything] : [...new Set(permissions)],
      navigationMenu: pruned(tree),
      // No right is lost with a module: its pages open for those who follow a link.
      unused: unused.map((module) => ({ module, pages: shown.filter(({ perms }) => moduleOf(perms) === module) })),
    }
  }

  /** What the caller may put into a role, with the directories above it. */
  const grantable = async (db: Db, actor: Actor): Promise<MenuItem[]> => {
    const rows = (await readMenus(db)).filter((row) => permits(actor, row)).map(toItem)
    return pruned(asTree(rows) as MenuItem[])
  }

  return { read, grantable }
}
