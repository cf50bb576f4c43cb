import { announcement, type Draft, department, type Resource, resources, role, user } from '@campanile/contract'
import * as fields from '@campanile/contract/kit'
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { tidyRecords } from '../platform/records.ts'
import { addDepartment, addUser } from '../test/app.ts'
import { type TestDatabase, testDatabase } from '../test/pg.ts'
import { moveAll } from './action.ts'
import type { Scope } from './actor.ts'
import type { Call } from './call.ts'
import { createTable } from './create-table.ts'
import { plainTable } from './plain.ts'
import { findRow, insertRow, listRows, removeRows, updateRow } from './rows.ts'

const { optional, readOnly, when } = fields

/** One field of every kind a table of its own can hold. */
const locker = fields.defineResource({
  name: 'schoolLocker',
  wire: { path: '/api/v1/locker' },
  fields: {
    label: fields.text(),
    note: optional(fields.longText()),
    serial: fields.mono(),
    phone: optional(fields.mobile()),
    link: optional(fields.url()),
    tint: optional(fields.colour()),
    rules: optional(fields.json()),
    cleanedOn: optional(fields.monthDay()),
    boughtOn: optional(fields.date()),
    openUntil: optional(fields.timestamp()),
    doors: fields.number(1, 40),
    openings: fields.startingWith(0, fields.number(0, Number.MAX_SAFE_INTEGER)),
    locked: fields.toggle(true),
    size: fields.startingWith('small', fields.choice(['small', 'tall'])),
    floor: fields.choice([0, 1, 2]),
    uses: fields.choices(['bags', 'shoes']),
    reason: when({ field: 'locked', is: [true] }, fields.text()),
    colours: optional(fields.lines()),
    addresses: fields.ipList(),
    names: fields.names(),
    departmentId: department(),
    departmentName: readOnly(fields.text()),
    keeperId: optional(fields.ref(() => user, 'keeperName')),
    keeperName: readOnly(optional(fields.text())),
    creatorName: readOnly(optional(fields.text())),
    createTime: readOnly(fields.timestamp()),
  },
  list: { columns: ['label', 'departmentId', 'keeperId'], filters: ['label', 'keeperId'], sort: 'label' },
  form: {},
  perms: { list: 'school:locker:list' },
  scope: 'organisation',
})

let database: TestDatabase
let scope: Scope
let keeper: number
let stranger: number

const asOwner = async <T extends pg.QueryResultRow>(text: string) => {
  const client = new pg.Client(database.owner)
  await client.connect()
  return client.query<T>(text).finally(() => client.end())
}

beforeAll(async () => {
  database = await testDatabase()
  const root = await addDepartment(database.db, { name: 'Platform' })
  const school = await addDepartment(database.db, { name: 'School', parentId: root, type: 2 })
  const actorId = await addUser(database.db, { username: 'writer', departmentId: school, roleIds: [] })
  keeper = await addUser(database.db, { username: 'keeper', departmentId: school, roleIds: [] })
  const other = await addDepartment(database.db, { name: 'Other school', parentId: root, type: 2 })
  stranger = await addUser(database.db, { username: 'stranger', departmentId: other, roleIds: [] })
  scope = { paths: [`${root}.${school}`], everything: false, actorId, departmentId: school }
  await asOwner(createTable(locker))
})
afterAll(() => database.drop())

const call = (by: Scope) => ({ db: database.db, scope: by, note: () => undefined })

const draft = (label: string): Draft<typeof locker> => ({
  label,
  serial: 'L-1',
  doors: 4,
  openings: 3_000_000_000,
  locked: true,
  reason: 'summer',
  size: 'tall',
  floor: 0,
  uses: ['bags', 'shoes'],
  addresses: ['10.0.0.1'],
  names: { en: 'Locker', 'zh-cn': '储物柜', 'zh-tw': '置物櫃' },
  departmentId: scope.departmentId,
  keeperId: keeper,
  boughtOn: '2026-02-28',
  openUntil: '2026-12-01T08:00:00Z',
})

test('a row goes into the table that is made from its declaration and comes back as it was', async () => {
  const table = plainTable(locker)
  const id = await insertRow(database.db, table, scope, draft('A'))
  const { rows, total } = await listRows(database.db, table, scope, { page: 1, pageSize: 10, keeperId: [keeper] })
  expect(total).toBe(1)
  expect(rows[0]).toMatchObject({
    ...draft('A'),
    id,
    openUntil: expect.stringContaining('2026-12-01'),
    departmentName: 'School',
    keeperName: expect.any(String),
    creatorName: expect.any(String),
    createTime: expect.any(String),
  })

  await updateRow(call(scope), table, { id, locked: false, floor: 2 })
  expect(await findRow(database.db, table, scope, id)).toMatchObject({ locked: false, floor: 2, reason: null })
  expect(await removeRows(database.db, table, scope, [id])).toEqual(['A'])
})

test('a row of another department stays out of reach', async () => {
  const table = plainTable(locker)
  const id = await insertRow(database.db, table, scope, draft('B'))
  const elsewhere = { ...scope, paths: ['999'] }
  await expect(findRow(database.db, table, elsewhere, id)).rejects.toMatchObject({ code: 100017 })
  await expect(insertRow(database.db, table, elsewhere, draft('C'))).rejects.toMatchObject({ code: 100013 })
})

test('nobody out of reach is named, neither at first nor later', async () => {
  const table = plainTable(locker)
  const refusal = { code: 100013 }
  await expect(insertRow(database.db, table, scope, { ...draft('D'), keeperId: stranger })).rejects.toMatchObject(
    refusal,
  )
  const id = await insertRow(database.db, table, scope, draft('D'))
  await expect(updateRow(call(scope), table, { id, keeperId: stranger })).rejects.toMatchObject(refusal)
  // Somebody who may reach everybody put the stranger there: the row can still be changed.
  await updateRow(call({ ...scope, everything: true }), table, { id, keeperId: stranger })
  await updateRow(call(scope), table, { id, doors: 5 })
  expect(await findRow(database.db, table, scope, id)).toMatchObject({ keeperId: stranger, doors: 5 })
})

test('rows pass from one state to the next together, and those that stand elsewhere are named', async () => {
  const table = plainTable(locker)
  const machine = fields.defineMachine({
    states: ['small', 'tall'],
    events: { grow: { from: ['small'], to: 'tall' } },
  })
  const grow = moveAll(table, {
    on: 'rows',
    perm: 'school:locker:grow',
    answer: fields.doneToRows,
    moves: { machine, event: 'grow', field: 'size' },
  })
  const act = (ids: number[]) =>
    database.db.transaction().execute((db) => grow({ ...call(scope), db, input: { ids } } as unknown as Call<unknown>))
  const [one = 0, two = 0] = [
    await insertRow(database.db, table, scope, { ...draft('S1'), size: 'small' }),
    await insertRow(database.db, table, scope, { ...draft('S2'), size: 'tall' }),
  ]
  const sizes = async () =>
    (await listRows(database.db, table, scope, { page: 1, pageSize: 10, label: 'S' })).rows.map(({ size }) => size)
  await expect(act([one, two])).rejects.toMatchObject({ code: 100021, status: 409, data: { names: 'S2' } })
  expect(await sizes()).toEqual(['small', 'tall'])
  // Of two who act at once one has done it.
  const ends = await Promise.allSettled([act([one]), act([one])])
  expect(ends.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  expect(await sizes()).toEqual(['tall', 'tall'])
})

test('many rows are paged in the same order as few', async () => {
  const table = plainTable(locker)
  await sql`insert into school_locker (label, serial, doors, floor, uses, addresses, names, department_id, note)
    select 'many ' || n % 7, 'S', 1, n % 3, '{}', '{}', '{}', ${scope.departmentId}, case when n % 5 > 0 then (n % 11)::text end
    from generate_series(1, 2500) n`.execute(database.db)
  const pages = async (query: object, total: number) => {
    const ids: number[] = []
    for (let page = 1; ids.length < total; page += 1) {
      const found = await listRows(database.db, table, scope, { page, pageSize: 500, ...query })
      expect(found.total).toBe(total)
      ids.push(...found.rows.map(({ id }) => id))
    }
    return ids
  }
  const few = (ids: readonly number[], wanted: ReadonlySet<number>) => ids.filter((id) => wanted.has(id))
  for (const sort of ['label', '-label', 'note', '-note', '-floor']) {
    const all = await pages({ sort, label: 'many' }, 2500)
    expect(new Set(all).size).toBe(2500)
    const some = await pages({ sort, label: 'many 3' }, 357)
    expect(some).toEqual(few(all, new Set(some)))
  }
})

test('records without end are divided by time, and read and written as any other rows', async () => {
  const passage = { ...locker, name: 'lockerPassage' } as typeof locker
  await asOwner(createTable(passage, { by: 'month', time: 'openUntil' }))
  const table = plainTable(passage)
  const id = await insertRow(database.db, table, scope, { ...draft('P'), openUntil: '2026-03-05T08:00:00Z' })
  const spec = { table: 'locker_passage', keepDays: () => 31 }
  await tidyRecords(database.db, spec, new Date('2026-04-01T00:00:00Z'))
  expect((await sql`select from locker_passage_202603`.execute(database.db)).rows).toHaveLength(1)
  await updateRow(call(scope), table, { id, doors: 7 })
  expect(await findRow(database.db, table, scope, id)).toMatchObject({ label: 'P', doors: 7 })
  await tidyRecords(database.db, spec, new Date('2026-05-03T00:00:00Z'))
  await expect(findRow(database.db, table, scope, id)).rejects.toMatchObject({ code: 100017 })
})

test('what is kept in another table is not made up', () => {
  const withRoles = {
    ...locker,
    fields: { roleIds: fields.linked(fields.refs(() => role, 'roleNames')) },
  } as unknown as Resource
  expect(() => createTable(withRoles)).toThrow('schoolLocker.roleIds')
})

test('the migrated table of announcements is the one its declaration asks for', async () => {
  const columns = async () => {
    const { rows } = await asOwner<{ column: string }>(`select concat_ws(' ', column_name, data_type, is_nullable,
      column_default) as column from information_schema.columns where table_name = 'announcement' order by 1`)
    return rows.map(({ column }) => column)
  }
  const migrated = await columns()
  await asOwner('drop table announcement')
  await asOwner(createTable(announcement))
  expect(migrated).toEqual(await columns())
  expect(resources).toContain(announcement)
  await sql`select 1 from announcement`.execute(database.db)
})

test('a row outlives what it has to refer to and can be changed then, and its decimals are numbers', async () => {
  const deposit = fields.defineResource({
    name: 'schoolDeposit',
    wire: { path: '/api/v1/deposit' },
    fields: {
      label: fields.text(),
      weight: fields.decimal(0, 100, 3),
      ownerId: fields.ref(() => user, 'ownerName'),
      ownerName: readOnly(fields.text()),
      departmentId: department(),
      departmentName: readOnly(fields.text()),
    },
    list: { columns: ['label', 'ownerId'], filters: ['label'], sort: 'label' },
    form: {},
    perms: { list: 'school:deposit:list' },
    scope: 'organisation',
  })
  await asOwner(createTable(deposit))
  const table = plainTable(deposit)
  const leaver = await addUser(database.db, { username: 'leaver', departmentId: scope.departmentId, roleIds: [] })
  const draft = { label: 'Bag', weight: 1.125, ownerId: leaver, departmentId: scope.departmentId }
  const id = await insertRow(database.db, table, scope, draft)
  expect(await findRow(database.db, table, scope, id)).toMatchObject({ weight: 1.125, ownerName: 'leaver' })
  await sql`delete from sys_user where id = ${leaver}`.execute(database.db)
  await updateRow(call(scope), table, { id, label: 'Box' })
  expect(await findRow(database.db, table, scope, id)).toMatchObject({ label: 'Box', ownerId: null, ownerName: null })
  await expect(insertRow(database.db, table, scope, { ...draft, ownerId: null })).rejects.toMatchObject({
    code: 100001,
  })
})
