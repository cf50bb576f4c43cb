import { type Module, moduleOf } from '@campanile/contract'
import { sql } from 'kysely'
import type { Actor } from '../../kit/actor.ts'
import type { Db } from '../../platform/db.ts'

export interface ModulesInUse {
  readonly unused: readonly Module[]
  /** Whether the screen that this permission shows belongs to what is used. */
  readonly isUsed: (perm: string | null | undefined) => boolean
}

/**
 * What the organisation somebody works in uses: what it says itself, or the nearest above that says anything; where
 * nobody does, everything (behaviour: organisations.modules).
 */
export const findModules = async (
  db: Db,
  { operating, department }: Pick<Actor, 'operating' | 'department'>,
): Promise<ModulesInUse> => {
  const { path } = operating ?? department
  const { rows } = await sql<{ unused: Module[] }>`select coalesce(unused_modules, '{}') as unused from department
    where id = any(string_to_array(${path}, '.')::bigint[]) and own_modules order by nlevel(path) desc limit 1`.execute(
    db,
  )
  const unused = rows[0]?.unused ?? []
  return {
    unused,
    isUsed: (perm) => {
      const module = moduleOf(perm)
      return module === undefined || !unused.includes(module)
    },
  }
}
