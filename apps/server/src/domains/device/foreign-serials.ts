import { AppError, deviceErrors } from '@campanile/contract'
import { sql } from 'kysely'
import type { Actor } from '../../kit/actor.ts'
import type { Db } from '../../platform/db.ts'
import type { RateLimit } from '../../platform/rate-limit.ts'

/** How many serial numbers of others one account may come across in a day: enough for a mixed-up list, not for a search. */
const perDay = { name: 'foreignSerial', limit: 50, seconds: 86_400 }
/** The same for all accounts of an enterprise together, so that several are no way around it. */
const perEnterprise = { name: 'foreignSerialEnterprise', limit: 200, seconds: 86_400 }

/** What somebody learns about serial numbers that are not theirs. */
export const createForeignSerials = ({ rateLimit }: { rateLimit: Pick<RateLimit, 'add' | 'look'> }) => {
  const enterpriseOf = async (db: Db, { department }: Pick<Actor, 'department'>): Promise<string> => {
    const { rows } = await sql<{ id: string }>`select subpath(enterprise_path(${department.path}::ltree), -1)::text
      as id`.execute(db)
    return rows[0]?.id ?? String(department.id)
  }

  return {
    /**
     * How many of these may be named; `silent` where that is not all. From then on a number that nobody has must be
     * answered like one that somebody has, or the refusal itself would tell the two apart.
     */
    learn: async (
      db: Db,
      actor: Pick<Actor, 'id' | 'department'>,
      count: number,
    ): Promise<{ named: number; silent: boolean }> => {
      const counted = [
        { rule: perDay, key: String(actor.id) },
        { rule: perEnterprise, key: await enterpriseOf(db, actor) },
      ]
      const above: number[] = []
      for (const { rule, key } of counted) {
        const { hits } = count === 0 ? await rateLimit.look(rule, key) : await rateLimit.add(rule, key, count)
        above.push(hits - rule.limit)
      }
      const most = Math.max(...above)
      return { named: Math.max(0, Math.min(count, count - most)), silent: most > 0 }
    },
    refusal: () => new AppError(deviceErrors.tooManyForeign, { limit: perDay.limit }),
  }
}

export type ForeignSerials = ReturnType<typeof createForeignSerials>
