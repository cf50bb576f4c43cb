import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addDepartment, addUser } from '../test/app.ts'
import { addDevices } from '../test/devices.ts'
import { type TestDatabase, testDatabase } from '../test/pg.ts'
import { createDb } from './db.ts'
import { type Fence, fenced } from './fence.ts'
import { plannedOnce } from './planned-once.ts'

/**
 * Tables that know a department or a device and stand outside the fence, each with its reason; the rest of it is in
 * decision 0017.
 */
const outside: Readonly<Record<string, string>> = {
  app_category: 'the installation’s own; its path is a short name',
  role_department: 'which departments a role reaches decides the fence itself',
  session: 'found by the hash of a token, before anybody is known',
  telemetry_raw:
    'written at every report; packed, and found by the number of a device that was looked up inside the fence',
  telemetry_hour: 'as telemetry_raw',
  telemetry_rollup: 'as telemetry_raw',
}

let database: TestDatabase
let a: Fence
let b: Fence
let root: number

beforeAll(async () => {
  database = await testDatabase()
  const { db } = database
  root = await addDepartment(db, { name: 'Root' })
  const found = async (name: string): Promise<Fence> => {
    const id = await addDepartment(db, { name, parentId: root, type: 1 })
    const shop = await addDepartment(db, { name: `${name} shop`, parentId: id, type: 0 })
    await addDevices(db, [name], { departmentId: shop, type: 3 })
    return { paths: [`${root}.${id}`], home: id, person: await addUser(db, { username: name, departmentId: id }) }
  }
  a = await found('alder')
  b = await found('birch')
})
afterAll(() => database.drop())

const serials = async (db = database.db) =>
  (await sql<{ sn: string }>`select sn from device order by sn`.execute(db)).rows.map(({ sn }) => sn)

describe('a request', () => {
  it('sees the rows of the departments its caller reaches, and the way above them', async () => {
    await fenced(a, async () => {
      expect(await serials()).toEqual(['alder'])
      const { rows } = await sql<{ name: string }>`select name from department order by path`.execute(database.db)
      expect(rows.map(({ name }) => name)).toEqual(['Root', 'alder', 'alder shop'])
      const states = await sql`select from device_state`.execute(database.db)
      expect(states.rows).toHaveLength(1)
    })
  })

  it('changes none of the others and writes to no other place', async () => {
    await fenced(a, async () => {
      const { numAffectedRows } = await sql`update device set name = 'mine'`.execute(database.db)
      expect(numAffectedRows).toBe(1n)
      await expect(addDevices(database.db, ['X'], { departmentId: b.home, type: 3 })).rejects.toThrow(
        'row-level security',
      )
      await expect(
        sql`update department set name = 'mine' where id = ${root} returning id`.execute(database.db),
      ).resolves.toMatchObject({ rows: [] })
    })
  })

  it('of somebody who reaches nothing sees no device at all', async () => {
    expect(await fenced({ ...a, paths: [] }, () => serials())).toEqual([])
  })

  it('keeps to its own connection, however many share the same few', async () => {
    const few = createDb({ ...database.app, max: 2 })
    const ask = (fence: Fence | undefined) => fenced(fence, () => serials(few.db))
    const rounds = Array.from({ length: 60 }, (_, at) => [a, b, undefined][at % 3])
    const answers = await Promise.all(rounds.map(ask))
    const expected = new Map([
      [a, ['alder']],
      [b, ['birch']],
      [undefined, ['alder', 'birch']],
    ])
    expect(answers).toEqual(rounds.map((fence) => expected.get(fence)))
    await few.close()
  })

  it('keeps its fence to the end of its transaction, whatever else goes on', async () => {
    const few = createDb({ ...database.app, max: 2 })
    await fenced(a, () =>
      few.db.transaction().execute(async (tx) => {
        expect(await fenced(b, () => serials(few.db))).toEqual(['birch'])
        const { rows } = await sql<{ sn: string }>`select sn from device`.execute(tx)
        expect(rows).toEqual([{ sn: 'alder' }])
      }),
    )
    await few.close()
  })

  it('meets no plan that was made for another, where a connection keeps it', async () => {
    const one = createDb({ ...database.app, max: 1 })
    const kept = (fence?: Fence) =>
      fenced(fence, async () => {
        let answer: { sn: string }[] = []
        // Often enough for PostgreSQL to plan no longer.
        for (let round = 0; round < 8; round++)
          answer = (await sql<{ sn: string }>`${plannedOnce} select sn from device order by sn`.execute(one.db)).rows
        return answer.map(({ sn }) => sn)
      })
    for (let round = 0; round < 2; round++) {
      expect(await kept(a)).toEqual(['alder'])
      expect(await kept(b)).toEqual(['birch'])
      expect(await kept()).toEqual(['alder', 'birch'])
    }
    const plans = await sql`select generic_plans > 0 as kept from pg_prepared_statements`.execute(one.db)
    expect(plans.rows).toEqual([{ kept: true }, { kept: true }])
    await one.close()
  })

  it('keeps no plan of what is not said to be planned once, and not without end', async () => {
    const one = createDb({ ...database.app, max: 1 })
    await serials(one.db)
    for (let n = 0; n < 220; n++) await sql`${plannedOnce} select ${sql.lit(n)} as n`.execute(one.db)
    const last = await sql`${plannedOnce} select ${sql.lit(219)} as n`.execute(one.db)
    expect(last.rows).toEqual([{ n: 219 }])
    const plans = await sql`select count(*) as n from pg_prepared_statements`.execute(one.db)
    expect(plans.rows).toEqual([{ n: 200 }])
    await one.close()
  })

  it('that cannot be fenced gets no connection, and holds none', async () => {
    const one = createDb({ ...database.app, max: 1 })
    const broken = { ...a, person: '\0' as unknown as number }
    await expect(fenced(broken, () => serials(one.db))).rejects.toThrow()
    expect(await fenced(a, () => serials(one.db))).toEqual(['alder'])
    await one.close()
  })
})

describe('the role behind the fence', () => {
  it('sees nothing while nobody has said whom it works for', async () => {
    const client = new pg.Client(database.app)
    await client.connect()
    await client.query('set role campanile_fenced')
    for (const table of ['device', 'device_state', 'department', 'sys_user', 'op_log', 'device_event'])
      expect((await client.query(`select from ${table}`)).rowCount).toBe(0)
    await client.end()
  })

  it('stands before every table that knows a department or a device', async () => {
    const { rows } = await sql<{ name: string; fenced: boolean }>`select c.relname as name,
        c.relrowsecurity and exists (select from pg_policies p where p.tablename = c.relname and 'campanile_fenced' = any(p.roles))
          and exists (select from pg_policies p where p.tablename = c.relname and p.policyname = 'unfenced') as fenced
      from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
        and exists (select from pg_attribute t where t.attrelid = c.oid and not t.attisdropped
          and (t.attname ~ '(^|_)(department|device)_(id|path)$' or t.attname = 'path'))
      order by 1`.execute(database.db)
    expect(rows.filter((table) => !table.fenced).map(({ name }) => name)).toEqual(Object.keys(outside).sort())
  })

  it('may do no more than the one it comes from', async () => {
    const { rows } = await sql<{ name: string }>`select c.relname as name from pg_class c
      cross join unnest(array['SELECT', 'INSERT', 'UPDATE', 'DELETE', 'TRUNCATE']) p(privilege)
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
        and has_table_privilege('campanile_fenced', c.oid, p.privilege)
        and not has_table_privilege('campanile_app', c.oid, p.privilege)`.execute(database.db)
    expect(rows).toEqual([])
    const client = new pg.Client(database.app)
    await client.connect()
    await client.query('set role campanile_fenced')
    await expect(client.query('update op_log set type = type')).rejects.toThrow('permission denied')
    await expect(client.query(`select raise_fence('device')`)).rejects.toThrow('permission denied')
    await client.end()
  })
})
