import { organisationType } from '@campanile/contract'
import { sql } from 'kysely'
import type { Scope } from '../../kit/actor.ts'
import { reaches } from '../../kit/scope.ts'

/** Name of the school the department `d` is, or is part of; nothing to somebody who reaches only a part of it. */
export const schoolAbove = (scope: Scope) => sql<string | null>`(select above.name from department above
  where above.path @> d.path and above.type = ${sql.lit(organisationType.school)} and ${reaches(scope, sql`above.path`)}
  order by nlevel(above.path) desc limit 1)`
