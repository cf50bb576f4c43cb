import { announcement, type Draft } from '@campanile/contract'
import { sql } from 'kysely'
import type { Call } from '../../kit/call.ts'
import { mountPlain, plainTable } from '../../kit/plain.ts'
import { insertRow } from '../../kit/rows.ts'
import type { Db } from '../../platform/db.ts'
import type { Services } from '../../services.ts'

const announcements = plainTable(announcement)

/** Everybody of an organisation and of what lies under it. */
const peopleUnder = async (db: Db, departmentId: number): Promise<number[]> => {
  const { rows } = await sql<{ id: number }>`select u.id from sys_user u join department d on d.id = u.department_id
    where d.path <@ (select path from department where id = ${departmentId}) and not u.disabled`.execute(db)
  return rows.map((row) => row.id)
}

export const mountAnnouncements = ({ kit, notify }: Services) => {
  const publish = async ({ db, scope, input }: Call<Draft<typeof announcement>>) => {
    const id = await insertRow(db, announcements, scope, input)
    const { title, text } = input
    const people = await peopleUnder(db, input.departmentId)
    await notify.notify(db, people, { type: 'announcement', word: 'announcement', data: { title, text } })
    return { id }
  }
  mountPlain(kit, announcements, { create: publish })
}
