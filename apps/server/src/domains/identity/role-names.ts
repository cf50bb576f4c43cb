import { rolePresets } from '@campanile/contract'
import { sql } from 'kysely'
import type { Resolver } from '../../kit/import/check.ts'
import { reaches } from '../../kit/scope.ts'
import { languages } from '../../platform/texts.ts'
import { findPaths } from './role.store.ts'
import { presetName } from './role-presets.ts'

const folded = (name: string) => name.normalize('NFKC').trim().toLowerCase()

interface Named {
  id: number
  name: string
  preset: string | null
  /** Where the role is kept. */
  home: string
}

const namesOf = ({ name, preset }: Named) =>
  preset ? languages.map((language) => folded(presetName(preset, language))) : [folded(name)]

const holds = (home: string, path: string) => path === home || path.startsWith(`${home}.`)

/**
 * Roles as people write them; shipped ones by their name in any language. Every enterprise has its own `Operator`, so
 * the one nearest above the person's department is meant, never one that reaches further.
 */
export const findRolesByName: Resolver = async (db, scope, asked) => {
  const written = [...new Set(asked.map(({ name }) => folded(name)))]
  const presets = rolePresets.filter((preset) =>
    languages.some((language) => written.includes(folded(presetName(preset, language)))),
  )
  const { rows } = await sql<Named>`select r.id, r.name, r.preset, d.path::text as home
    from sys_role r join department d on d.id = r.department_id
    where (lower(normalize(r.name, NFKC)) = any(${written}) or r.preset = any(${presets}::text[]))
      and ${reaches(scope, sql`d.path`)}`.execute(db)
  const paths = await findPaths(
    db,
    asked.flatMap(({ near }) => near ?? []),
  )
  const pathOf = new Map(paths.map(({ id, path }) => [id, path]))
  return asked.map(({ name, near }) => {
    const fitting = rows.filter((row) => namesOf(row).includes(folded(name)))
    const path = near === null ? undefined : pathOf.get(near)
    const [nearest] = fitting
      .filter(({ home }) => path !== undefined && holds(home, path))
      .sort((a, b) => b.home.length - a.home.length)
    if (nearest) return nearest.id
    return fitting.length > 1 ? 'ambiguous' : fitting[0]?.id
  })
}
