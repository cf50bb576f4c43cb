import { sql } from 'kysely'
import type { Db } from '../../platform/db.ts'

/** When each of these that is away was last there. */
export const findLastThere = async (db: Db, ids: readonly number[]): Promise<Map<number, string | null>> => {
  const { rows } = await sql<{ id: number; since: string | null }>`select device_id as id,
      coalesce(disconnected_at, last_seen) as since from device_state where device_id = any(${ids})`.execute(db)
  return new Map(rows.map(({ id, since }) => [id, since]))
}

/** Of how many what a command may depend on holds. */
export const countFacts = async (db: Db, ids: readonly number[]): Promise<{ locked: number; kiosk: number }> => {
  const { rows } = await sql<{ locked: number; kiosk: number }>`select count(*) filter (where locked)::int as locked,
      count(*) filter (where kiosk is not null)::int as kiosk
    from device_state where device_id = any(${ids})`.execute(db)
  return rows[0] ?? { locked: 0, kiosk: 0 }
}

interface App {
  package: string
  name: string | null
  version: string | null
  devices: number
}
/** As many as somebody looks through. */
const appsAtOnce = 500
/** The apps that these devices have told of, those most of them have first. */
export const findApps = async (db: Db, ids: readonly number[]): Promise<App[]> =>
  (
    await sql<App>`select package, mode() within group (order by name) as name,
        mode() within group (order by version) as version, count(*)::int as devices
      from device_app where device_id = any(${ids}) group by package order by 4 desc, 2 nulls last, 1
      limit ${appsAtOnce}`.execute(db)
  ).rows
