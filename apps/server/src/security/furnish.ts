import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { expect, vi } from 'vitest'
import type { Enterprise, World } from '../test/world.ts'

/** An id of each kind a call may ask for. */
export type Ids = Readonly<Record<string, number>>

/** One row of everything that can belong to somebody, all named after the organisation. */
export const furnish = async (
  world: Pick<World, 'db' | 'as'>,
  { word, id, shop, admin: adminId, operator }: Pick<Enterprise, 'word' | 'id' | 'shop' | 'admin' | 'operator'>,
): Promise<Ids> => {
  const { db } = world
  const one = async (query: ReturnType<typeof sql<{ id: number }>>) => (await query.execute(db)).rows[0]?.id as number
  const file = await one(sql`insert into export_file (name, type, state, department_id, creator_id, stored_as)
    values (${`${word}.xlsx`}, 'export', 'complete', ${id}, ${adminId}, ${randomBytes(16).toString('hex')}) returning id`)
  const run = await one(sql`insert into import_run (resource, user_id, department_id, headers, total, file_id)
    values ('user', ${adminId}, ${id}, ${[word]}, 1, ${file}) returning id`)
  const announcement = await one(sql`insert into announcement (title, text, department_id, creator_id)
    values (${`${word} news`}, ${`${word} text`}, ${id}, ${adminId}) returning id`)
  const role = await one(sql`insert into sys_role (name, department_id, creator_id)
    values (${`${word} role`}, ${id}, ${adminId}) returning id`)
  await sql`insert into role_menu select ${role}, id from menu where perms = 'org:list:list'`.execute(db)
  await sql`insert into role_department values (${role}, ${id})`.execute(db)
  const view = await one(sql`insert into saved_view (user_id, department_id, resource, name, state, shared)
    values (${adminId}, ${id}, 'user', ${`${word} view`}, '{}', true) returning id`)
  const notification = await one(sql`insert into notification (user_id, type, title, data)
    values (${adminId}, 'export', ${word}, '{}') returning id`)
  const person = await world.as(`${word}.admin`)
  await person.post('/api/v1/oauth/depts/create', { name: `${word} logged`, type: 0, parentId: id })
  const exported = (await person.post('/api/v1/announcement/export')).data.fileId as number
  const state = sql<{ state: string }>`select state from export_file where id = ${exported}`
  await vi.waitFor(async () => expect((await state.execute(db)).rows[0]?.state).toBe('complete'), 60_000)
  const logged = await one(sql`select max(id) as id from op_log where department_id = ${id}`)
  return {
    department: id,
    organisation: shop,
    user: operator,
    role,
    announcement,
    /** One that lies on the disk, so that its download would succeed. */
    exportFile: exported,
    import: run,
    savedView: view,
    notification,
    operationLog: logged,
  }
}
