import { compareVersions } from '@campanile/contract'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type TestDatabase, testDatabase } from '../../test/pg.ts'
import { versionOrder } from './versions.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database.drop())

it('orders versions as releases do', async () => {
  const versions = [
    '3.9',
    '3.10',
    '3.2',
    '3.2.0',
    'V3.2.0',
    '3.2.0-rc1',
    '3.2.0+7',
    '03.02',
    '99999999999999999999',
    'x',
  ]
  const pairs = versions.flatMap((first) => versions.map((second) => ({ first, second })))
  const before = (operator: '<' | '>=') => versionOrder(undefined, sql`pair.first`, sql.raw(operator), sql`pair.second`)
  const { rows } = await sql<{ first: string; second: string; below: boolean | null; from: boolean | null }>`
    select pair.first, pair.second, ${before('<')} as below, ${before('>=')} as from
    from json_to_recordset(${JSON.stringify(pairs)}) as pair(first text, second text)`.execute(database.db)
  expect(rows).toHaveLength(pairs.length)
  for (const { first, second, below, from } of rows) {
    const order = compareVersions(first, second)
    const expected = order === undefined ? [null, null] : [order < 0, order >= 0]
    expect([first, second, below, from]).toEqual([first, second, ...expected])
  }
})
