import { sql } from 'kysely'
import type { Scope } from '../../kit/actor.ts'
import type { Resolver } from '../../kit/import/check.ts'
import { endsWith, folded, stepsOf } from '../../kit/path-text.ts'
import { reaches } from '../../kit/scope.ts'
import type { Db } from '../../platform/db.ts'

interface Candidate {
  id: number
  /** Names from the top the caller sees down to the department itself. */
  names: string[]
}

const findCandidates = async (db: Db, scope: Scope, last: readonly string[], ids: readonly number[]) => {
  const { rows } = await sql<Candidate>`select t.id,
      array(select step.name from department step
        where step.id = any(string_to_array(t.path::text, '.')::bigint[]) and ${reaches(scope, sql`step.path`)}
        order by nlevel(step.path)) as names
    from department t
    where (lower(normalize(t.name, NFKC)) = any(${last}) or t.id = any(${ids})) and ${reaches(scope, sql`t.path`)}`.execute(
    db,
  )
  return rows.map(({ id, names }) => ({ id, names: names.map(folded) }))
}

/** A department as people write it: its name, the end of its path (`A / B`), or its number. A name wins over a number. */
export const findDepartmentsByName: Resolver = async (db, scope, asked) => {
  const written = asked.map(({ name }) => name)
  const last = written.map((text) => stepsOf(text).at(-1) ?? '')
  const ids = written.filter((text) => /^\d{1,15}$/.test(text.trim())).map(Number)
  const candidates = await findCandidates(db, scope, last, ids)
  const byName = new Map<string | undefined, Candidate[]>()
  for (const each of candidates) byName.set(each.names.at(-1), [...(byName.get(each.names.at(-1)) ?? []), each])
  const byId = new Set(candidates.map((each) => each.id))
  return written.map((text) => {
    const wanted = stepsOf(text)
    const fitting = (byName.get(wanted.at(-1)) ?? []).filter(({ names }) => endsWith(names, wanted))
    // `North` is the top one although a department somewhere below is called the same.
    const exact = fitting.filter(({ names }) => names.length === wanted.length)
    const [only, another] = exact.length > 0 ? exact : fitting
    if (only) return another ? 'ambiguous' : only.id
    return byId.has(Number(text)) ? Number(text) : undefined
  })
}
