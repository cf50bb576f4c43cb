import { type RawBuilder, sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type TestDatabase, testDatabase } from '../test/pg.ts'
import { bigints, booleans, byteas, doubles, integers, texts } from './binary-array.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database.drop())

const cases: [string, Buffer, RawBuilder<unknown>, unknown[]][] = [
  [
    'bigint',
    bigints([0, -1, 2 ** 40 + 7, -(2 ** 40) - 7, null]),
    sql`bigint`,
    [0, -1, 2 ** 40 + 7, -(2 ** 40) - 7, null],
  ],
  ['integer', integers([1, null, -5]), sql`integer`, [1, null, -5]],
  ['double', doubles([0.5, -1e300]), sql`double precision`, [0.5, -1e300]],
  ['boolean', booleans([true, false, null]), sql`boolean`, [true, false, null]],
  ['text', texts(['', 'NULL', null, '"{\\,}é汉😀']), sql`text`, ['', 'NULL', null, '"{\\,}é汉😀']],
  ['bytea', byteas([Buffer.from([0, 255]), Buffer.alloc(0)]), sql`bytea`, [Buffer.from([0, 255]), Buffer.alloc(0)]],
  ['empty', texts([]), sql`text`, []],
]

it.each(cases)('%s arrives as it was given', async (_, bytes, type, values) => {
  const { rows } = await sql<{ each: unknown }>`select each from unnest(${bytes}::${type}[]) with ordinality u(each, n)
    order by n`.execute(database.db)
  expect(rows.map(({ each }) => each)).toEqual(values)
})
