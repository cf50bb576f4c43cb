import { type ConfigKey, type ConfigValues, configDefaults } from '@campanile/contract'
import { sql } from 'kysely'
import type { Clock } from './clock.ts'
import type { Db } from './db.ts'

const freshMs = 1000

/** The installation's settings as they stand in the database; a change is seen everywhere within a second. */
export const createSettings = ({ db, clock }: { db: Db; clock: Clock }) => {
  let held: { at: number; values: Promise<ConfigValues> } | undefined

  const read = async (): Promise<ConfigValues> => {
    const { rows } = await sql<{ key: string; value: unknown }>`select key, value from system_config`.execute(db)
    return { ...configDefaults, ...Object.fromEntries(rows.map(({ key, value }) => [key, value])) }
  }

  const all = (): Promise<ConfigValues> => {
    const at = clock.now().getTime()
    if (held && Math.abs(at - held.at) < freshMs) return held.values
    const values = read()
    held = { at, values }
    values.catch(() => {
      if (held?.values === values) held = undefined
    })
    return values
  }

  return {
    all,
    get: async <K extends ConfigKey>(key: K): Promise<ConfigValues[K]> => (await all())[key],
    /** For whoever has just written one and must not read the old value back. */
    forget: () => {
      held = undefined
    },
  }
}

export type Settings = ReturnType<typeof createSettings>
