import { identityNeeds } from '@campanile/contract'
import { sql } from 'kysely'
import { countListed, need } from '../../kit/needs.ts'
import { userTable } from './user.table.ts'

export const needsOfAccounts = [
  need(identityNeeds.locked, (db, scope) =>
    countListed(db, userTable, scope, { loginStatus: ['locked'] }, sql`null::timestamptz`),
  ),
]
