import { type ConfigKey, type ConfigValues, configDefaults, configSecrets } from '@campanile/contract'
import { sql } from 'kysely'
import type { Clock } from './clock.ts'
import type { Db } from './db.ts'
import type { Seal } from './seal.ts'

const freshMs = 1000

const isSecret = (key: string) => configSecrets.some((secret) => secret === key)
const contextOf = (key: string) => `system_config.${key}`

/** The installation's settings as they stand in the database; a change is seen everywhere within a second. */
export const createSettings = ({ db, clock, seal }: { db: Db; clock: Clock; seal: Seal }) => {
  let held: { at: number; values: Promise<ConfigValues> } | undefined

  /** One that does not open counts as not set: whoever needs it refuses, and nobody else is kept out. */
  const opened = (key: string, value: unknown) => {
    if (!isSecret(key) || value === null) return value
    // Stored before it was declared a secret; the next change seals it.
    if (!seal.isSealed(String(value))) return value
    try {
      return seal.unseal(String(value), contextOf(key))
    } catch {
      return null
    }
  }

  const read = async (): Promise<ConfigValues> => {
    const { rows } = await sql<{ key: string; value: unknown }>`select key, value from system_config`.execute(db)
    return { ...configDefaults, ...Object.fromEntries(rows.map(({ key, value }) => [key, opened(key, value)])) }
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
    /** In the caller's transaction; `forget` is for after it. */
    save: async (tx: Db, values: Readonly<Partial<ConfigValues>>, userId: number) => {
      const keys = Object.keys(values)
      const texts = Object.entries(values).map(([key, value]) =>
        JSON.stringify(isSecret(key) && typeof value === 'string' ? seal.seal(value, contextOf(key)) : value),
      )
      await sql`insert into system_config (key, value, updated_by)
        select key, value::jsonb, ${userId} from unnest(${keys}::text[], ${texts}::text[]) as s(key, value)
        on conflict (key) do update set value = excluded.value, updated_at = now(), updated_by = excluded.updated_by`.execute(
        tx,
      )
    },
    /** For whoever has just written one and must not read the old value back. */
    forget: () => {
      held = undefined
    },
  }
}

export type Settings = ReturnType<typeof createSettings>
