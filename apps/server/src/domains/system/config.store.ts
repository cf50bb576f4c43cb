import { configDefaults } from '@campanile/contract'
import { sql } from 'kysely'
import type { Db } from '../../platform/db.ts'

export type Updated = Record<string, { at: string; by: string | null }>

export const findUpdates = async (db: Db): Promise<Updated> => {
  const { rows } = await sql<{ key: string; at: string; by: string | null }>`
    select c.key, c.updated_at as at, u.real_name as by from system_config c
    left join sys_user u on u.id = c.updated_by`.execute(db)
  return Object.fromEntries(rows.map(({ key, at, by }) => [key, { at, by }]))
}

/** Whether both agreements are the installation's own and no longer the shipped ones. */
export const areAgreementsWritten = async (db: Db): Promise<boolean> => {
  const isOwn = (key: 'serviceAgreement' | 'privacyPolicy') =>
    sql`key = ${key} and value <> ${JSON.stringify(configDefaults[key])}::jsonb`
  const { rows } = await sql<{ n: number }>`select count(*) as n from system_config
    where ${isOwn('serviceAgreement')} or ${isOwn('privacyPolicy')}`.execute(db)
  return rows[0]?.n === 2
}

/** People, not sessions: somebody with two browsers is online once. */
export const countOnline = async (db: Db, idleMinutes: number): Promise<number> => {
  const { rows } = await sql<{ n: number }>`select count(distinct user_id) as n from session
    where ended_at is null and last_seen > now() - ${idleMinutes} * interval '1 minute'`.execute(db)
  return rows[0]?.n ?? 0
}

export const departmentExists = async (db: Db, id: number): Promise<boolean> => {
  const { rows } = await sql`select from department where id = ${id}`.execute(db)
  return rows.length > 0
}
