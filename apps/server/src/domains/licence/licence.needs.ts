import { licenceNeeds } from '@campanile/contract'
import { sql } from 'kysely'
import type { Scope } from '../../kit/actor.ts'
import { countListed, need } from '../../kit/needs.ts'
import type { Db } from '../../platform/db.ts'
import { type LicenceKind, licenceTables } from './licence.table.ts'

const inState = (kind: LicenceKind, state: string) => (db: Db, scope: Scope) =>
  countListed(db, licenceTables[kind], scope, { state: [state] }, sql`null::timestamptz`)

export const needsOfLicences = [
  need(licenceNeeds.iotExpired, inState('iot', 'expired')),
  need(licenceNeeds.iotExpiring, inState('iot', 'expiring')),
  need(licenceNeeds.imExpiring, inState('im', 'expiring')),
  need(licenceNeeds.healthExpiring, inState('health', 'expiring')),
]
