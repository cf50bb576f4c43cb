import { device, mayStandUnder, type OrganisationType, organisationType, user } from '@campanile/contract'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Answer, addRole, addUser } from '../../test/app.ts'
import { addDevices } from '../../test/devices.ts'
import { type Person, startWorld, type World } from '../../test/world.ts'
import { nextPromotion } from './next-promotion.ts'
import { plantDepartment as plant } from './planting.ts'

let world: World
let root: Person
let admin: Person
let operator: Person
beforeAll(async () => {
  world = await startWorld()
  root = await world.as('admin')
  admin = await world.as('alder.admin')
  operator = await world.as('alder.operator')
})
afterAll(() => world.stop())

const path = '/api/v1/oauth/depts'
let count = 0
const draft = (over: Record<string, unknown> = {}) => {
  count += 1
  return { name: `Department ${count}`, type: organisationType.subDepartment, parentId: world.a.id, ...over }
}
const make = async (who: Person, over: Record<string, unknown> = {}): Promise<number> => {
  const answer = await who.post(`${path}/create`, draft(over))
  expect(answer.code).toBe(100000)
  return answer.data.id as number
}
const rowsOf = (answer: Answer) => answer.data.rows as Record<string, unknown>[]
const pathOf = async (id: number) =>
  (await sql<{ path: string }>`select path::text as path from department where id = ${id}`.execute(world.db)).rows[0]
    ?.path

describe('creating an organisation', () => {
  it('puts it under its parent and shows it at once', async () => {
    const id = await make(admin, { name: 'Repair' })
    const list = await admin.get(`${path}/list`, { name: 'repair' })
    expect(list.data).toMatchObject({
      total: 1,
      rows: [{ id, name: 'Repair', parentId: world.a.id, parentName: 'alder works' }],
    })
    expect(await pathOf(id)).toBe(`${await pathOf(world.a.id)}.${id}`)
  })

  it('refuses a sibling of the same name, whatever the case, and allows it elsewhere', async () => {
    await make(admin, { name: 'Paint' })
    expect(await admin.post(`${path}/create`, draft({ name: 'PAINT ' }))).toMatchObject({ code: 21051, status: 409 })
    await make(admin, { name: 'Paint', parentId: world.a.office })
  })

  it('lets every type stand under exactly the types the matrix names, and says which rule it breaks', async () => {
    const school = await make(root, { type: organisationType.school, parentId: world.si })
    const section = await make(root, { type: organisationType.section, parentId: school })
    const grade = await make(root, { type: organisationType.grade, parentId: section })
    const places: [OrganisationType, number][] = [
      [organisationType.subDepartment, world.a.office],
      [organisationType.enterprise, world.a.id],
      [organisationType.school, school],
      [organisationType.si, world.si],
      [organisationType.section, section],
      [organisationType.grade, grade],
      [organisationType.class, await make(root, { type: organisationType.class, parentId: grade })],
      [
        organisationType.administrativeClass,
        await make(root, { type: organisationType.administrativeClass, parentId: grade }),
      ],
      [
        organisationType.graduatingClass,
        await make(root, { type: organisationType.graduatingClass, parentId: school }),
      ],
    ]
    const broken: Record<number, number> = {
      0: 21070,
      1: 21055,
      2: 21056,
      3: 21054,
      4: 21067,
      5: 21068,
      6: 21069,
      7: 21069,
      8: 21071,
    }
    for (const [parentType, parentId] of places)
      for (const type of Object.values(organisationType)) {
        const answer = await root.post(`${path}/create`, draft({ type, parentId }))
        const leaf = parentType >= organisationType.class
        const expected = mayStandUnder(type, parentType) ? 100000 : leaf ? 21053 : broken[type]
        expect([type, parentType, answer.code]).toEqual([type, parentType, expected])
        if (expected !== 100000) expect(answer.data).toMatchObject({ type, parentType, field: 'parentId' })
      }
  })

  it('needs a parent that exists and that the caller’s roles reach', async () => {
    expect(await admin.post(`${path}/create`, { name: 'X', type: 0 })).toMatchObject({ code: 21052 })
    expect(await admin.post(`${path}/create`, draft({ parentId: 999_999 }))).toMatchObject({ code: 21052 })
    expect(await admin.post(`${path}/create`, draft({ parentId: world.b.id }))).toMatchObject({ code: 21052 })
    expect(await admin.post(`${path}/create`, draft({ parentId: world.root }))).toMatchObject({
      code: 21057,
      status: 403,
    })
  })

  it('leaves enterprises to super administrators', async () => {
    const harbour = await world.as('harbour.admin')
    await make(harbour, { type: organisationType.enterprise, parentId: world.si })
    await sql`update sys_user set type = 2 where username = 'harbour.admin'`.execute(world.db)
    const answer = await harbour.post(
      `${path}/create`,
      draft({ type: organisationType.enterprise, parentId: world.si }),
    )
    await sql`update sys_user set type = 0 where username = 'harbour.admin'`.execute(world.db)
    expect(answer).toMatchObject({ code: 21061, status: 403 })
  })

  it('gives each SI, enterprise and school the shipped roles, and nothing else', async () => {
    const presets = async (id: number) =>
      (
        await sql<{ preset: string }>`select preset from sys_role where department_id = ${id} order by id`.execute(
          world.db,
        )
      ).rows.map((row) => row.preset)
    const school = await make(admin, { type: organisationType.school })
    expect(await presets(school)).toEqual(['administrator', 'safetyOfficer', 'operator', 'auditor'])
    expect(await presets(await make(admin))).toEqual([])
  })

  it('stores what belongs to a condition only while the condition holds', async () => {
    const shown = async (id: number) => rowsOf(await admin.get(`${path}/list`, { ids: id }))[0]
    const office = await make(admin, {
      schoolCode: 'X1',
      autoPromotion: true,
      promotionDate: '07-01',
      paymentStatus: false,
      merchantId: '12',
    })
    expect(await shown(office)).toMatchObject({
      schoolCode: null,
      autoPromotion: false,
      promotionDate: null,
      merchantId: null,
    })
    const school = await make(admin, { type: 2, schoolCode: 'X1', autoPromotion: true, promotionDate: '07-01' })
    expect(await shown(school)).toMatchObject({
      schoolCode: 'X1',
      promotionDate: '07-01',
      nextPromotion: expect.stringMatching(/^\d{4}-07-01$/),
    })
  })

  it.each([
    [{ type: 2, autoPromotion: true }, 21072, 'promotionDate'],
    [{ type: 2, autoPromotion: true, promotionDate: '02-30' }, 100002, 'promotionDate'],
    [{ pushStatus: true }, 100001, 'pushAddress'],
    [{ largeScreenTitle: 'x'.repeat(21) }, 100002, 'largeScreenTitle'],
    [{ areaName: 'x'.repeat(21) }, 100002, 'areaName'],
    [{ paymentStatus: true, merchantId: 'abc' }, 100002, 'merchantId'],
    [{ miniProgram: 'wx123' }, 100002, 'miniProgram'],
    [{ timeZone: 'Europe/Nowhere' }, 100002, 'timeZone'],
    [{ fileServerUrl: 'http://0x7f.1/files' }, 21076, 'fileServerUrl'],
    [{ pushStatus: true, pushAddress: 'https://[::ffff:10.0.0.1]/push' }, 21076, 'pushAddress'],
    [{ fileServerUrl: 'gopher://example.com' }, 100002, 'fileServerUrl'],
  ])('refuses %j and names the field', async (over, code, field) => {
    expect(await admin.post(`${path}/create`, draft(over))).toMatchObject({ code, data: { field } })
  })

  it('keeps since when the messaging app is authorised, and forgets it with the authorisation', async () => {
    const id = await make(admin, { messagingAuthorised: true, corpId: 'ww1' })
    const since = async () => rowsOf(await admin.get(`${path}/list`, { ids: id }))[0]?.messagingTime
    const first = await since()
    expect(first).toEqual(expect.any(String))
    await admin.put(`${path}/update`, { id, corpId: 'ww2' })
    expect(await since()).toBe(first)
    await admin.put(`${path}/update`, { id, messagingAuthorised: false })
    expect(await since()).toBeNull()
  })

  it('takes private addresses once the installation allows them', async () => {
    await sql`insert into system_config (key, value) values ('allowPrivateServer', 'true')`.execute(world.db)
    world.clock.advance(2)
    await make(admin, { fileServerUrl: 'http://192.168.1.10/files' })
    await sql`delete from system_config`.execute(world.db)
    world.clock.advance(2)
    expect(await admin.post(`${path}/create`, draft({ fileServerUrl: 'http://192.168.1.10/' }))).toMatchObject({
      code: 21076,
    })
  })

  it('ends at 32 levels', async () => {
    let parentId = world.a.office
    for (let level = 5; level <= 32; level += 1) parentId = await plant(world.db, { name: 'Deep', type: 0, parentId })
    expect(await admin.post(`${path}/create`, draft({ parentId }))).toMatchObject({ code: 21075, data: { limit: 32 } })
  })
})

describe('changing an organisation', () => {
  it('locks type, customer type and place after saving', async () => {
    const id = await make(admin)
    expect(await admin.put(`${path}/update`, { id, type: 2 })).toMatchObject({ code: 21064 })
    expect(await admin.put(`${path}/update`, { id, customerType: 1 })).toMatchObject({ code: 21058 })
    expect(await admin.put(`${path}/update`, { id, parentId: world.a.office })).toMatchObject({
      data: { field: 'parentId' },
    })
  })

  it('shows a new name everywhere at once', async () => {
    const id = await make(admin, { name: 'Old name' })
    const child = await make(admin, { parentId: id })
    await admin.put(`${path}/update`, { id, name: 'New name' })
    expect(rowsOf(await admin.get(`${path}/list`, { ids: child }))[0]).toMatchObject({ parentName: 'New name' })
    expect(rowsOf(await admin.get(path, { ids: child }))).toMatchObject([
      { path: [{ name: 'alder works' }, { name: 'New name' }, { id: child }] },
    ])
  })

  it('does not reach another enterprise', async () => {
    expect(await admin.put(`${path}/update`, { id: world.b.office, name: 'Mine' })).toMatchObject({
      code: 100017,
      status: 404,
    })
  })
})

describe('removing an organisation', () => {
  it('is left to super administrators', async () => {
    const id = await make(operator)
    expect(await operator.remove(`${path}/delete`, { departmentId: [id] })).toMatchObject({ code: 21065, status: 403 })
    expect(await admin.remove(`${path}/delete`, { departmentId: [id] })).toMatchObject({
      code: 100000,
      data: { removed: 1 },
    })
  })

  it('is refused while anything stands below, unless that goes too', async () => {
    const id = await make(admin)
    const child = await make(admin, { parentId: id })
    expect(await admin.remove(`${path}/delete`, { departmentId: [id] })).toMatchObject({ code: 21059 })
    expect(await admin.remove(`${path}/delete`, { departmentId: [id, child] })).toMatchObject({ data: { removed: 2 } })
  })

  it('is refused while people belong to it or hold one of its roles', async () => {
    expect(await root.remove(`${path}/delete`, { departmentId: [world.a.id] })).toMatchObject({ code: 21059 })
    const school = await make(admin, { type: organisationType.school })
    const { rows } = await sql<{
      id: number
    }>`select id from sys_role where department_id = ${school} and preset = 'operator'`.execute(world.db)
    await sql`insert into user_role (user_id, role_id) values (${world.a.operator}, ${rows[0]?.id})`.execute(world.db)
    expect(await admin.remove(`${path}/delete`, { departmentId: [school] })).toMatchObject({ code: 21060 })
    await sql`delete from user_role where role_id = ${rows[0]?.id}`.execute(world.db)
    await sql`update sys_user set department_id = ${school} where id = ${world.a.auditor}`.execute(world.db)
    expect(await admin.remove(`${path}/delete`, { departmentId: [school] })).toMatchObject({ code: 21060 })
    await sql`update sys_user set department_id = ${world.a.id} where id = ${world.a.auditor}`.execute(world.db)
    expect(await admin.remove(`${path}/delete`, { departmentId: [school] })).toMatchObject({ data: { removed: 1 } })
  })

  it('answers for ids of another enterprise as for ids that do not exist', async () => {
    const foreign = await admin.remove(`${path}/delete`, { departmentId: [world.b.shop] })
    expect(foreign).toMatchObject({ code: 21063, status: 404 })
    expect(await admin.remove(`${path}/delete`, { departmentId: [999_999] })).toEqual(foreign)
    expect(await pathOf(world.b.shop)).toBeDefined()
  })
})

describe('moving an organisation', () => {
  it('takes everything below along', async () => {
    const team = await make(admin, { parentId: world.a.office })
    const desk = await make(admin, { parentId: team })
    expect(await admin.post(`${path}/move`, { id: team, parentId: world.a.shop })).toMatchObject({ code: 100000 })
    expect(await pathOf(desk)).toBe(`${await pathOf(world.a.shop)}.${team}.${desk}`)
    expect(rowsOf(await admin.get(path, { parentId: world.a.shop })).map((node) => node.id)).toContain(team)
  })

  it('refuses itself, its own children, the root, a wrong type and a taken name', async () => {
    const team = await make(admin, { name: 'Moving' })
    const desk = await make(admin, { parentId: team })
    expect(await admin.post(`${path}/move`, { id: team, parentId: team })).toMatchObject({ code: 21062 })
    expect(await admin.post(`${path}/move`, { id: team, parentId: desk })).toMatchObject({ code: 21062 })
    expect(await root.post(`${path}/move`, { id: world.root, parentId: world.si })).toMatchObject({ code: 21057 })
    expect(await root.post(`${path}/move`, { id: world.a.id, parentId: world.b.id })).toMatchObject({ code: 21055 })
    await make(admin, { name: 'moving', parentId: world.a.office })
    expect(await admin.post(`${path}/move`, { id: team, parentId: world.a.office })).toMatchObject({ code: 21051 })
  })

  it('does not lead out of the caller’s reach or in from outside', async () => {
    const team = await make(admin)
    expect(await admin.post(`${path}/move`, { id: team, parentId: world.b.id })).toMatchObject({ code: 21052 })
    expect(await admin.post(`${path}/move`, { id: world.b.shop, parentId: world.a.id })).toMatchObject({ code: 100017 })
  })

  it('leaves the old enterprise’s roles behind', async () => {
    const harbour = await world.as('harbour.admin')
    const team = await make(admin, { name: 'Leaving' })
    await sql`update sys_user set department_id = ${team} where id = ${world.a.auditor}`.execute(world.db)
    await harbour.post(`${path}/move`, { id: team, parentId: world.b.id })
    const held = await sql`select from user_role where user_id = ${world.a.auditor}`.execute(world.db)
    expect(held.rows).toHaveLength(0)
  })

  it('makes no ring and loses nobody, however many move at once', async () => {
    const ids = await Promise.all(
      Array.from({ length: 8 }, () =>
        plant(world.db, { name: `Ring ${Math.random()}`, type: 0, parentId: world.a.office }),
      ),
    )
    const below = await Promise.all(ids.map((parentId) => plant(world.db, { name: 'Below', type: 0, parentId })))
    const pairs = ids.flatMap((id) => ids.filter((other) => other !== id).map((parentId) => ({ id, parentId })))
    const answers = await Promise.all([
      ...pairs.map((pair) => admin.post(`${path}/move`, pair)),
      ...ids.map((parentId) => admin.post(`${path}/create`, draft({ parentId }))),
    ])
    expect(answers.every(({ code }) => [100000, 21062].includes(code))).toBe(true)
    expect(answers.some(({ code }) => code === 21062)).toBe(true)
    // The true paths, walked by parents from the root, are exactly the stored ones.
    const { rows } = await sql<{ wrong: number; all: number; reached: number }>`with recursive walked as (
        select id, id::text::ltree as path from department where parent_id is null
        union all select d.id, w.path || d.id::text::ltree from department d join walked w on w.id = d.parent_id)
      select (select count(*) from walked w join department d using (id) where w.path <> d.path) as wrong,
        (select count(*) from department) as all, (select count(*) from walked) as reached`.execute(world.db)
    expect(rows[0]?.wrong).toBe(0)
    expect(rows[0]?.reached).toBe(rows[0]?.all)
    expect(below).toHaveLength(8)
  })
})

describe('what stands below an organisation', () => {
  /** Counted anew, from the rows themselves. */
  const trueTotals = async () => {
    const { rows } = await sql<{ id: number; devices: number; persons: number }>`select d.id,
        (select count(*) from device t join department p on p.id = t.department_id where p.path <@ d.path) as devices,
        (select count(*) from sys_user u join department p on p.id = u.department_id where p.path <@ d.path) as persons
      from department d order by d.id`.execute(world.db)
    return rows
  }
  const toldTotals = async () => {
    const rows = rowsOf(await root.get(`${path}/list`, { pageSize: 199 }))
    return rows
      .map(({ id, deviceCount, personCount }) => ({ id: Number(id), devices: deviceCount, persons: personCount }))
      .sort((a, b) => a.id - b.id)
  }
  const add = (departmentId: number, from: number, to: number) =>
    addDevices(
      world.db,
      Array.from({ length: to - from + 1 }, (_, at) => `HELD-${from + at}`),
      { departmentId },
    )

  it('is counted rightly while devices, people and organisations come, move and go', async () => {
    const branch = await make(admin, { name: 'Held', parentId: world.a.office })
    const leaf = await make(admin, { name: 'Held leaf', parentId: branch })
    const steps: (() => Promise<unknown>)[] = [
      () => add(leaf, 1, 30),
      () => add(world.a.shop, 31, 40),
      () => sql`update device set department_id = ${world.b.shop} where sn in ('HELD-1', 'HELD-35')`.execute(world.db),
      () => admin.post(`${path}/move`, { id: branch, parentId: world.a.shop }),
      () => sql`delete from device where sn = 'HELD-2'`.execute(world.db),
      () => add(leaf, 41, 42),
      () => admin.post(`${path}/move`, { id: branch, parentId: world.a.id }),
      () => sql`delete from device where department_id = ${leaf}`.execute(world.db),
      () => admin.remove(`${path}/delete`, { departmentId: [leaf] }),
      () => sql`delete from device`.execute(world.db),
    ]
    for (const step of steps) {
      await step()
      expect(await toldTotals()).toEqual(await trueTotals())
    }
  })

  it('is counted rightly when devices arrive while their organisation moves', async () => {
    const branch = await make(admin, { name: 'Busy', parentId: world.a.office })
    const leaf = await make(admin, { name: 'Busy leaf', parentId: branch })
    const arrivals = Array.from({ length: 40 }, (_, n) => add(leaf, n + 1, n + 1))
    const moves = [world.a.shop, world.a.id, world.a.office, world.a.shop].map((parentId) =>
      admin.post(`${path}/move`, { id: branch, parentId }),
    )
    await Promise.all([...arrivals, ...moves])
    expect(await toldTotals()).toEqual(await trueTotals())
    await sql`delete from device`.execute(world.db)
  })
})

describe('the tree', () => {
  it('begins with the tops of what the caller reaches and hides what is above', async () => {
    const tops = rowsOf(await admin.get(path))
    expect(tops).toMatchObject([{ id: world.a.id, parentId: null, path: [{ id: world.a.id }] }])
    expect(rowsOf(await root.get(path))).toMatchObject([{ id: world.root, childCount: expect.any(Number) }])
  })

  it('opens one level at a time and counts what is below', async () => {
    const children = rowsOf(await admin.get(path, { parentId: world.a.id }))
    expect(children.map((node) => node.name)).toEqual([...children.map((node) => node.name)].sort())
    expect(children.find((node) => node.id === world.a.school)).toMatchObject({
      parentId: world.a.id,
      childCount: 0,
      personCount: 0,
    })
    expect(rowsOf(await admin.get(path, { parentId: world.b.id }))).toEqual([])
    expect(rowsOf(await admin.get(path, { parentId: world.si }))).toEqual([])
  })

  it('counts devices and people for those alone who may list them there', async () => {
    const role = await addRole(world.db, {
      departmentId: world.a.id,
      permissions: ['org:list:list', device.perms.list],
    })
    const reader = await addUser(world.db, { username: 'counts.reader', departmentId: world.a.id, roleIds: [role] })
    const elsewhere = await addRole(world.db, { departmentId: world.a.school, permissions: [user.perms.list] })
    await sql`insert into user_role values (${reader}, ${elsewhere})`.execute(world.db)
    const somebody = await world.as('counts.reader')
    const told = async (where: string, query: object) =>
      rowsOf(await somebody.get(where, { ...query })).find(({ id }) => id === world.a.shop)
    for (const [where, query] of [
      [path, { parentId: world.a.id }],
      [path, { keyword: 'alder shop' }],
      [path, { ids: world.a.shop }],
      [`${path}/list`, { pageSize: 199 }],
    ] as const)
      expect(await told(where, query)).toMatchObject({ deviceCount: expect.any(Number), personCount: null })
    const { data } = await somebody.get(`${path}/detail`, { id: world.a.id })
    expect(data).toMatchObject({ counts: { devices: expect.any(Number), persons: null, administrators: 0 } })
    expect(rowsOf(await somebody.get(path, { ids: world.a.school }))).toMatchObject([
      { deviceCount: expect.any(Number), personCount: expect.any(Number) },
    ])
  })

  it('finds by part of a name with the way there, and takes % and _ as they are', async () => {
    const id = await make(admin, { name: '100%_cotton', parentId: world.a.office })
    const hits = rowsOf(await admin.get(path, { keyword: '0%_C' }))
    expect(hits).toMatchObject([
      { id, path: [{ name: 'alder works' }, { name: 'alder office' }, { name: '100%_cotton' }] },
    ])
    expect(rowsOf(await admin.get(path, { keyword: 'birch' }))).toEqual([])
  })

  it('looks ids up, those in reach only', async () => {
    const found = rowsOf(await admin.get(path, { ids: [world.a.shop, world.b.shop] }))
    expect(found.map((node) => node.id)).toEqual([world.a.shop])
  })
})

describe('the list', () => {
  it('asks for direct children by parent and for everything below by ancestor', async () => {
    const team = await make(admin, { parentId: world.a.school, type: organisationType.section })
    const desk = await make(admin, { parentId: team, type: organisationType.grade })
    const ids = async (filter: Record<string, unknown>) =>
      rowsOf(await admin.get(`${path}/list`, { pageSize: 199, ...filter })).map((row) => row.id)
    expect(await ids({ parentId: world.a.school })).toEqual([team])
    expect(await ids({ ancestorId: world.a.school })).toEqual(expect.arrayContaining([team, desk]))
    expect(await ids({ ancestorId: world.a.school })).not.toContain(world.a.school)
    expect(await ids({ type: organisationType.grade, ancestorId: world.a.school })).toEqual([desk])
  })

  it('shows one’s own enterprise only', async () => {
    const { data } = await admin.get(`${path}/list`, { pageSize: 199 })
    expect(JSON.stringify(data)).not.toContain('birch')
  })
})

describe('the detail', () => {
  it('names administrators to those who may see users', async () => {
    const detail = await admin.get(`${path}/detail`, { id: world.a.id })
    expect(detail.data).toMatchObject({
      row: { name: 'alder works' },
      path: [{ id: world.a.id }],
      counts: { administrators: expect.any(Number) },
    })
    expect((detail.data.administrators as unknown[]).length).toBeGreaterThan(2)
    expect((await operator.get(`${path}/detail`, { id: world.a.id })).data.administrators).toEqual([])
    expect(await admin.get(`${path}/detail`, { id: world.b.id })).toMatchObject({ code: 100017 })
  })
})

describe('the next promotion', () => {
  it.each([
    ['07-01', '2026-03-10', '2026-07-01'],
    ['07-01', '2026-07-01', '2026-07-01'],
    ['07-01', '2026-07-02', '2027-07-01'],
    ['12-31', '2026-12-31', '2026-12-31'],
    ['01-01', '2026-01-02', '2027-01-01'],
    ['02-29', '2026-01-01', '2026-02-28'],
    ['02-29', '2028-01-01', '2028-02-29'],
    ['02-29', '2027-03-01', '2028-02-29'],
  ])('of %s seen on %s is %s', async (monthDay, today, next) => {
    const { rows } = await sql<{
      next: string
    }>`select ${nextPromotion(sql`true`, sql`${monthDay}::text`, sql`${today}::date`)} as next`.execute(world.db)
    expect(rows[0]?.next).toBe(next)
  })
})
