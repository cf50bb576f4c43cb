import { announcement } from '@campanile/contract'
import { sql } from 'kysely'
import { byDefault, mount } from '../../kit/mount.ts'
import { insertRow } from '../../kit/rows.ts'
import { bindTable } from '../../kit/table.ts'
import type { Db } from '../../platform/db.ts'
import type { Services } from '../../services.ts'

const announcements = bindTable(announcement, {
  name: 'announcement',
  joins: sql`join department d on d.id = t.department_id left join sys_user creator on creator.id = t.creator_id`,
  columns: { departmentName: sql`d.name`, creatorName: sql`creator.real_name` },
  path: sql`d.path`,
})

/** Everybody of an organisation and of what lies under it. */
const peopleUnder = async (db: Db, departmentId: number): Promise<number[]> => {
  const { rows } = await sql<{ id: number }>`select u.id from sys_user u join department d on d.id = u.department_id
    where d.path <@ (select path from department where id = ${departmentId}) and not u.disabled`.execute(db)
  return rows.map((row) => row.id)
}

export const mountAnnouncements = ({ kit, notify }: Services) =>
  mount(kit, announcements, {
    list: byDefault,
    create: async ({ db, scope, actor, input }) => {
      const id = await insertRow(db, announcements, scope, input, { creatorId: actor.id })
      await notify.notify(db, await peopleUnder(db, input.departmentId), {
        type: 'announcement',
        word: 'announcement',
        data: { title: input.title, text: input.text },
      })
      return { id }
    },
    update: byDefault,
    remove: byDefault,
    export: byDefault,
  })
