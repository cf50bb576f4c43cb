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

/** An entry in the place this version ships it. */
interface Placed {
  readonly entry: NavigationEntry
  readonly parentId: number | null
  /** Empty at the top. */
  readonly parentKey: string
  readonly order: number
}

/** Whether somebody finds what stands in this directory; at the top they do. */
const isInSight = async (db: Db, directory: number | null): Promise<boolean> => {
  const { rows } = await sql<{ seen: boolean | null }>`with recursive up as (
      select id, parent_id, visible from menu where id = ${directory}
      union all select m.id, m.parent_id, m.visible from menu m join up on m.id = up.parent_id
    ) select bool_and(visible) as seen from up`.execute(db)
  return rows[0]?.seen ?? true
}

/**
 * The entry stands elsewhere than in the version before, and nobody has moved it since: it goes there. What could be
 * found is not lost by it, and what was out of sight stays so.
 */
const follow = async (db: Db, { entry, parentId, parentKey, order }: Placed) => {
  const { rows } = await sql<{ id: number; parentId: number | null }>`select m.id, m.parent_id as "parentId" from menu m
    left join menu above on above.id = m.parent_id
    where m.key = ${entry.key} and m.shipped_parent <> ${parentKey}
      and m.shipped_parent = case when m.parent_id is null then '' else above.key end`.execute(db)
  const [moved] = rows
  if (!moved) return
  const [was, willBe] = [await isInSight(db, moved.parentId), await isInSight(db, parentId)]
  if (was && !willBe) return
  await sql`update menu set parent_id = ${parentId}, order_num = ${order}, visible = visible and ${was}
    where id = ${moved.id}`.execute(db)
}

const store = async (db: Db, { entry, parentId, parentKey, order }: Placed): Promise<number> => {
  const { url = null, perms = null, platform = false, icon = null } = entry
  const name = JSON.stringify(entryNames(entry.textKey))
  const { rows } = await sql<{ id: number }>`
    insert into menu (key, parent_id, type, name, icon, url, perms, order_num, platform,
      shipped_parent, shipped_order, shipped_name)
    values (${entry.key}, ${parentId}, ${entry.type}, ${name}::jsonb, ${icon}, ${url}, ${perms}, ${order}, ${platform},
      ${parentKey}, ${order}, ${name}::jsonb)
    on conflict (key) do update set type = excluded.type, url = excluded.url, perms = excluded.perms,
      platform = excluded.platform,
      name = case when menu.name = menu.shipped_name then excluded.name else menu.name end,
      order_num = case when menu.order_num = menu.shipped_order and menu.parent_id is not distinct from excluded.parent_id
        then excluded.order_num else menu.order_num end,
      shipped_parent = excluded.shipped_parent, shipped_order = excluded.shipped_order, shipped_name = excluded.shipped_name
    returning id`.execute(db)
  return rows[0]?.id as number
}

/**
 * Brings the stored menu up to what this version ships (behaviour: console.menu-follows). What an entry opens and allows follows the product; its name,
 * place and order do as long as people have left them as they were shipped, its icon and visibility never. An entry
 * somebody made by hand for the same route or permission becomes the shipped one; entries no longer shipped go.
 */
export const syncMenus = async (db: Db) => {
  await lockMenus(db)
  const shipped: string[] = []

  const put = async (placed: Placed): Promise<void> => {
    const { entry } = placed
    const { key, url = null, perms = null } = entry
    shipped.push(key)
    await sql`update menu set key = ${key} where key is null
      and not exists (select from menu known where known.key = ${key})
      and (url = ${url} or (type = ${menuType.button} and perms = ${perms}))`.execute(db)
    await follow(db, placed)
    await putAll(entry.children, await store(db, placed), key)
  }
  const putAll = async (entries: readonly NavigationEntry[], parentId: number | null, parentKey: string) => {
    for (const [index, entry] of entries.entries()) await put({ entry, parentId, parentKey, order: (index + 1) * step })
  }

  await putAll(navigationTree, null, '')
  // Whatever people hung under an entry that goes moves to the top; buttons go with it.
  await sql`delete from menu where type = ${menuType.button} and key <> all(${shipped})`.execute(db)
  await sql`update menu set parent_id = null where parent_id in
    (select id from menu gone where gone.key <> all(${shipped})) and type <> ${menuType.button}`.execute(db)
  await sql`delete from menu where parent_id in (select id from menu gone where gone.key <> all(${shipped}))`.execute(
    db,
  )
  await sql`delete from menu where key <> all(${shipped})`.execute(db)
}
