import type { MenuNode } from '@campanile/contract'
import { sql } from 'kysely'
import type { Db } from '../../platform/db.ts'

export type MenuRow = Omit<MenuNode, 'list'> & { key: string | null }

/** A few hundred entries at most: read whole, in the order people see them. */
export const readMenus = async (db: Db): Promise<MenuRow[]> => {
  const { rows } = await sql<MenuRow>`select id as "menuId", key, parent_id as "parentId", type, name, icon, url, perms,
      order_num as "orderNum", visible, key is not null as "builtIn", platform
    from menu order by order_num, id`.execute(db)
  return rows
}

/** "menu"; whoever changes the shape of the tree has it alone, so that no two moves make a ring. */
export const lockMenus = (db: Db) => sql`select pg_advisory_xact_lock(${0x6d656e75})`.execute(db)

type Tree<R> = R & { list: Tree<R>[] }
/** Hangs every row under its parent; rows whose parent is not among them are dropped, roots begin the answer. */
export const asTree = <R extends { menuId: number; parentId: number | null }>(rows: readonly R[]): Tree<R>[] => {
  const nodes = new Map<number, Tree<R>>(rows.map((row) => [row.menuId, { ...row, list: [] }]))
  const roots: Tree<R>[] = []
  for (const node of nodes.values()) {
    const above = node.parentId === null ? roots : nodes.get(node.parentId)?.list
    above?.push(node)
  }
  return roots
}
