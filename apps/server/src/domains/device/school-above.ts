import { organisationType } from '@campanile/contract'
import { sql } from 'kysely'

/** Name of the school the department `d` is, or is part of. */
export const schoolAbove = sql<string | null>`(select above.name from department above
  where above.path @> d.path and above.type = ${sql.lit(organisationType.school)}
  order by nlevel(above.path) desc limit 1)`
