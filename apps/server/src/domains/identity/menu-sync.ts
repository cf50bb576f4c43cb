import { menuType, type NavigationEntry, navigationTree } from '@campanile/contract'
import { sql } from 'kysely'
import type { Db } from '../../platform/db.ts'
import { textOf } from '../../platform/texts.ts'
import { lockMenus } from './menu.store.ts'

export const entryNames = (key: string) => ({
  en: textOf(key, 'en'),
  'zh-cn': textOf(key, 'zh-CN'),
  'zh-tw': textOf(key, 'zh-TW'),
})

/** Room between two shipped entries for those people add. */
const step = 10

/**
 * Brings the stored menu up to what this version ships. What people may change (name, place, order, icon, visibility)
 * is written once and never again; what an entry opens and allows follows the product. An entry somebody made by hand
 * for the same route or permission becomes the shipped one; entries no longer shipped go.
 */
export const syncMenus = async (db: Db) => {
  await lockMenus(db)
  const shipped: string[] = []

  const put = async (entry: NavigationEntry, parentId: number | null, at: number): Promise<void> => {
    shipped.push(entry.key)
    const { url = null, perms = null, platform = false, icon = null } = entry
    await sql`update menu set key = ${entry.key} where key is null
      and not exists (select from menu known where known.key = ${entry.key})
      and (url = ${url} or (type = ${menuType.button} and perms = ${perms}))`.execute(db)
    const { rows } = await sql<{ id: number }>`
      insert into menu (key, parent_id, type, name, icon, url, perms, order_num, platform)
      values (${entry.key}, ${parentId}, ${entry.type}, ${JSON.stringify(entryNames(entry.textKey))}::jsonb, ${icon},
        ${url}, ${perms}, ${at * step}, ${platform})
      on conflict (key) do update set type = excluded.type, url = excluded.url, perms = excluded.perms,
        platform = excluded.platform
      returning id`.execute(db)
    const id = rows[0]?.id ?? null
    for (const [index, child] of entry.children.entries()) await put(child, id, index + 1)
  }

  for (const [index, entry] of navigationTree.entries()) await put(entry, null, index + 1)
  // Whatever people hung under an entry that goes moves to the top; buttons go with it.
  await sql`delete from menu where type = ${menuType.button} and key <> all(${shipped})`.execute(db)
  await sql`update menu set parent_id = null where parent_id in
    (select id from menu gone where gone.key <> all(${shipped})) and type <> ${menuType.button}`.execute(db)
  await sql`delete from menu where parent_id in (select id from menu gone where gone.key <> all(${shipped}))`.execute(
    db,
  )
  await sql`delete from menu where key <> all(${shipped})`.execute(db)
}
