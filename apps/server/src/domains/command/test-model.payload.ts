import { readJsonObject, secretMask } from '@campanile/contract'
import { sql } from 'kysely'
import type { Db } from '../../platform/db.ts'
import type { Seal } from '../../platform/seal.ts'
import { maskSecrets } from '../../platform/secret-fields.ts'

/** What was left masked stays what it was; everything else is what was entered. */
const restore = (entered: unknown, before: unknown): unknown => {
  if (entered === secretMask && before !== undefined) return before
  if (typeof entered !== 'object' || entered === null || typeof before !== 'object' || before === null) return entered
  const old = before as Record<string, unknown>
  if (Array.isArray(entered)) return entered.map((each, at) => restore(each, old[at]))
  return Object.fromEntries(Object.entries(entered).map(([name, each]) => [name, restore(each, old[name])]))
}

/** A payload is free text and may hold passwords: its secrets are masked where it is shown and the whole of it rests sealed. */
export const createPayloads = (seal: Seal) => {
  const contextOf = (id: number) => `test_model.${id}.payload`
  const find = async (db: Db, id: number): Promise<string | null> => {
    const { rows } = await sql<{ payload: string | null; sealed: string | null }>`select payload,
      sealed_payload as sealed from test_model where id = ${id}`.execute(db)
    const { payload = null, sealed = null } = rows[0] ?? {}
    return sealed ? seal.unseal(sealed, contextOf(id)) : payload
  }
  const keep = async (db: Db, id: number, whole: string | null) => {
    const shown = whole === null ? null : (maskSecrets(whole) as string)
    const sealed = whole === null || shown === whole ? null : seal.seal(whole, contextOf(id))
    await sql`update test_model set payload = ${shown}, sealed_payload = ${sealed}, unsealed = false
      where id = ${id}`.execute(db)
  }
  return {
    /** The whole of it, for the device. */
    find,
    keep,
    /** What is meant by a payload somebody saw masked and entered again. */
    restored: async (db: Db, id: number, entered: string): Promise<string> => {
      const before = readJsonObject(await find(db, id))
      const now = readJsonObject(entered)
      if (!before || !now) return entered
      const whole = restore(now, before)
      return JSON.stringify(whole) === JSON.stringify(now) ? entered : JSON.stringify(whole)
    },
    /** Seals what a version before this one stored in plain. */
    sealStored: (db: Db) =>
      db.transaction().execute(async (tx) => {
        const { rows } = await sql<{ id: number; payload: string | null }>`select id, payload from test_model
          where unsealed order by id for update skip locked`.execute(tx)
        for (const { id, payload } of rows) await keep(tx as Db, id, payload)
      }),
  }
}
export type Payloads = ReturnType<typeof createPayloads>
