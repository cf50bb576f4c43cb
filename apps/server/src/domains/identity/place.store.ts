import { sql } from 'kysely'
import type { Place } from '../../kit/actor.ts'
import type { Db } from '../../platform/db.ts'

export const findPlace = async (db: Db, departmentId: number): Promise<Place | undefined> => {
  const found =
    await sql<Place>`select id, name, type, path::text as path from department where id = ${departmentId}`.execute(db)
  return found.rows[0]
}
