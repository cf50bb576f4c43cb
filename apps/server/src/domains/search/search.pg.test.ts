import { type FoundKind, foundBy, foundCountMax, resources, viewKind } from '@campanile/contract'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { tableNamed } from '../../kit/table.ts'
import { furnish } from '../../security/furnish.ts'
import { addDepartment, addUser } from '../../test/app.ts'
import { addDevices } from '../../test/devices.ts'
import { type Person, startWorld, type World } from '../../test/world.ts'

let world: World
let admin: Person
beforeAll(async () => {
  world = await startWorld()
  await furnish(world, world.a)
  await furnish(world, world.b)
  admin = await world.as('alder.admin')
})
afterAll(() => world.stop())

const search = async (person: Person, wanted: string): Promise<FoundKind[]> =>
  (await person.get('/api/v1/search', { wanted })).data.kinds as FoundKind[]
const found = async (person: Person, wanted: string, kind: string) =>
  (await search(person, wanted)).find((each) => each.kind === kind)
const lines = async () =>
  (
    await sql<{
      description: string
      department: string
    }>`select description, department_name as department from op_log_now()
      where route = 'GET /api/v1/search' order by id`.execute(world.db)
  ).rows

const declared = resources.filter(({ palette }) => palette)

describe('one search over everything', () => {
  test.each(declared.map((resource) => [resource.name, resource] as const))(
    'finds a %s by each text it is declared to be found by, in reach and nowhere else',
    async (kind, resource) => {
      const table = tableNamed(kind)
      if (!table) throw new Error(`${kind} is not bound`)
      const page = (await admin.get(`${resource.wire.path}/list`, { pageSize: 199 })).data
      const rows = page[resource.wire.listKey] as Record<string, unknown>[]
      for (const field of foundBy(resource)) {
        const row = rows.find((each) => String(each[field] ?? '').length > 2)
        if (!row) continue
        const text = String(row[field])
        const mine = await found(admin, text, kind)
        expect([field, mine?.rows.some(({ id }) => id === row.id)]).toEqual([field, true])
        const theirs = await found(await world.as('birch.admin'), text, kind)
        expect(theirs?.rows.some(({ id }) => id === row.id) ?? false).toBe(false)
      }
    },
  )

  test('shows no kind to somebody who may not list it', async () => {
    const officer = await world.as('alder.safety')
    expect(await found(admin, 'alder', 'device')).toBeDefined()
    expect(await found(officer, 'alder', 'device')).toBeUndefined()
    expect(await found(officer, 'alder', 'user')).toBeDefined()
  })

  test('finds a device by any part of its number, whatever the case, the exact one first, and says how many there are', async () => {
    const sns = ['TR-77', 'XTR-77', 'TR-771', 'TR-772', 'TR-773', 'TR-774']
    await addDevices(world.db, sns, { departmentId: world.a.shop })
    const kind = await found(admin, 'tr-77', 'device')
    expect(kind?.rows.map(({ name }) => name)).toEqual(['TR-77', 'TR-771', 'TR-772', 'TR-773', 'TR-774'])
    expect(kind).toMatchObject({ total: 6, more: false, fields: [{ field: 'sn', total: 6 }] })
    expect(kind?.rows[0]?.tells).toMatchObject({ iotStatus: 'offline', departmentName: 'alder shop' })
  })

  test('finds a device by its IMEI and by the start of its address, and says which it was', async () => {
    await sql`update device set imei = '867530912345678' where sn = 'TR-77'`.execute(world.db)
    await sql`update device_state s set public_ip = '203.0.113.77' from device d where d.id = s.device_id and d.sn = 'TR-77'`.execute(
      world.db,
    )
    expect((await found(admin, '30912345', 'device'))?.rows).toMatchObject([
      { name: 'TR-77', field: 'imei', value: '867530912345678' },
    ])
    expect((await found(admin, '203.0.113.7', 'device'))?.rows).toMatchObject([{ name: 'TR-77', field: 'ip' }])
    expect(await found(admin, '0.113.77', 'device')).toBeUndefined()
  })

  test('finds two letters of a Chinese name or account, beside each other and as they stand', async () => {
    const names = {
      'wf.1': '王芳',
      'wf.2': '李王芳',
      'wf.3': '芳王',
      'wf.4': '王小芳',
      王芳: 'Wang Fang',
      'wf.5': '王_芳',
    }
    for (const [username, realName] of Object.entries(names)) {
      const id = await addUser(world.db, { username, departmentId: world.a.shop })
      await sql`update sys_user set real_name = ${realName} where id = ${id}`.execute(world.db)
    }
    const people = async (who: string, wanted: string) =>
      (await found(await world.as(who), wanted, 'user'))?.rows.map(({ name }) => name).sort()
    for (const who of ['admin', 'harbour.admin', 'alder.admin'])
      expect(await people(who, '王芳')).toEqual(['wf.1', 'wf.2', '王芳'])
    expect(await people('alder.admin', '王_')).toEqual(['wf.5'])
    expect(await people('alder.admin', '芳王')).toEqual(['wf.3'])
    expect(await people('birch.admin', '王芳')).toBeUndefined()
  })

  test('keeps to the reach of somebody with very many departments', async () => {
    const below = await Promise.all(
      Array.from({ length: 20 }, (_, at) =>
        addDepartment(world.db, { name: `Stall ${at}`, parentId: world.a.id, type: 0 }),
      ),
    )
    await addDevices(world.db, ['STALL-1'], { departmentId: below[7] as number })
    await addDevices(world.db, ['STALL-2'], { departmentId: world.b.shop })
    await sql`update device_state s set public_ip = '198.51.100.9' from device d where d.id = s.device_id and d.sn like 'STALL-%'`.execute(
      world.db,
    )
    for (const wanted of ['STALL-', '198.51.100.9']) {
      const seen = async (who: string) =>
        (await found(await world.as(who), wanted, 'device'))?.rows.map(({ name }) => name)
      expect(await seen('alder.admin')).toEqual(['STALL-1'])
      expect(await seen('birch.admin')).toEqual(['STALL-2'])
      expect(await seen('harbour.admin')).toEqual(['STALL-1', 'STALL-2'])
    }
    expect(await found(admin, 'STALL-2', 'device')).toBeUndefined()
  })

  test('stops counting at a thousand and says that there are more', async () => {
    const sns = Array.from({ length: foundCountMax + 5 }, (_, at) => `MANY-${at}`)
    await addDevices(world.db, sns, { departmentId: world.a.shop })
    expect(await found(admin, 'many-', 'device')).toMatchObject({ total: foundCountMax, more: true })
  })

  test('finds saved views by name: one’s own and shared ones, of lists one may open', async () => {
    const view = { resource: 'device', state: { search: '?iotStatus=offline' } }
    await admin.post('/api/v1/oauth/savedViews', { ...view, name: 'Quiet tills', shared: true })
    await admin.post('/api/v1/oauth/savedViews', { ...view, name: 'Quiet tills of mine' })
    const names = async (word: string) =>
      (await found(await world.as(word), 'quiet', viewKind))?.rows.map(({ name }) => name)
    expect(await names('alder.admin')).toEqual(['Quiet tills', 'Quiet tills of mine'])
    expect(await names('alder.operator')).toEqual(['Quiet tills'])
    expect(await names('alder.safety')).toBeUndefined()
    expect(await names('birch.admin')).toBeUndefined()
    expect((await found(admin, 'quiet', viewKind))?.rows[0]?.tells).toMatchObject({
      resource: 'device',
      search: '?iotStatus=offline',
    })
  })

  test('leaves a line when it has shown people, where they are, and none when it has not', async () => {
    const before = (await lines()).length
    await search(admin, 'TR-77')
    expect((await lines()).length).toBe(before)
    await search(await world.as('harbour.admin'), 'birch.oper')
    expect((await lines()).slice(before)).toEqual([{ description: 'user: 1', department: 'birch works' }])
  })

  test.each([['ab'], ['x'.repeat(65)], ['王'], ['  a ']])(
    'refuses %j, which is too short or too long to look for',
    async (wanted) => {
      expect((await admin.get('/api/v1/search', { wanted })).code).toBe(100002)
    },
  )

  test.each([['%%%'], ['___'], ['\\\\\\'], ["';--"], ['"a"b"']])('takes %j as it stands', async (wanted) => {
    expect((await admin.get('/api/v1/search', { wanted })).code).toBe(100000)
    expect(await found(admin, wanted, 'device')).toBeUndefined()
  })
})
