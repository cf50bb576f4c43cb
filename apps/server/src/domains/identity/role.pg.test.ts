import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { covers, scopeFor } from '../../kit/actor.ts'
import { addRole, addUser } from '../../test/app.ts'
import { type Person, startWorld, type World } from '../../test/world.ts'
import { createActorOf } from './index.ts'

let world: World
let root: Person
let admin: Person
beforeAll(async () => {
  world = await startWorld()
  root = await world.as('admin')
  admin = await world.as('alder.admin')
})
afterAll(() => world.stop())

const path = '/api/v1/oauth/roles'
const menuIds = async (...perms: string[]): Promise<number[]> => {
  const { rows } = await sql<{ id: number }>`select id from menu where perms = any(${perms})`.execute(world.db)
  expect(rows).toHaveLength(perms.length)
  return rows.map((row) => row.id)
}
let count = 0
const draft = async (over: Record<string, unknown> = {}) => {
  count += 1
  return {
    name: `Role ${count}`,
    menuIds: await menuIds('org:list:list', 'org:list:edit'),
    departmentIds: [world.a.office],
    ...over,
  }
}
const make = async (over: Record<string, unknown> = {}, who = admin): Promise<number> => {
  const answer = await who.post(`${path}/create`, await draft(over))
  expect(answer).toMatchObject({ code: 100000 })
  return answer.data.id as number
}

describe('a role', () => {
  it('keeps both halves and shows them in its detail', async () => {
    const given = await draft({ remark: 'Looks after the office' })
    const answer = await admin.post(`${path}/create`, given)
    const id = answer.data.id as number
    const detail = (await admin.get(`${path}/detail`, { id })).data
    expect(detail).toMatchObject({
      id,
      name: given.name,
      remark: 'Looks after the office',
      own: true,
      departmentIds: [world.a.office],
    })
    expect([...(detail.menuIds as number[])].sort()).toEqual([...given.menuIds].sort())
    const { data } = await admin.get(`${path}/list`, { name: given.name })
    expect(data).toMatchObject({
      total: 1,
      sysRole: [
        { id, own: true, creatorName: 'alder admin', userCount: 0, departmentName: 'alder works', preset: null },
      ],
    })
    expect((data.sysRole as object[])[0]).not.toHaveProperty('menuIds')
  })

  it.each([{ menuIds: [] }, { menuIds: undefined }, { departmentIds: [] }, { departmentIds: undefined }, { name: '' }])(
    'needs %j',
    async (over) => {
      expect(await admin.post(`${path}/create`, await draft(over))).toMatchObject({ status: 400 })
    },
  )

  it('keeps only the roots of its departments', async () => {
    const id = await make({ departmentIds: [world.a.office, world.a.id, world.a.shop] })
    expect((await admin.get(`${path}/detail`, { id })).data.departmentIds).toEqual([world.a.id])
  })

  it('has a name of its own in its organisation', async () => {
    await make({ name: 'Night shift' })
    expect(await admin.post(`${path}/create`, await draft({ name: 'night SHIFT' }))).toMatchObject({
      code: 21201,
      data: { field: 'name' },
    })
    await make({ name: 'Night shift', departmentIds: [world.b.id] }, await world.as('birch.admin'))
  })

  it('is changed and removed by its creator only, the installation’s administrator included', async () => {
    const id = await make()
    for (const other of [root, await world.as('alder.safety')]) {
      expect(await other.put(`${path}/update`, { id, name: 'Mine' })).toMatchObject({ code: 21203, status: 403 })
      expect(await other.remove(`${path}/delete`, { roleIds: [id] })).toMatchObject({ code: 21203 })
      expect((await other.get(`${path}/detail`, { id })).data.own).toBe(false)
    }
    expect(await admin.put(`${path}/update`, { id, name: 'Renamed' })).toMatchObject({ code: 100000 })
    expect(await admin.remove(`${path}/delete`, { roleIds: [id] })).toMatchObject({ data: { removed: 1 } })
  })

  it('cannot go while somebody holds it', async () => {
    const id = await make()
    await sql`insert into user_role (user_id, role_id) values (${world.a.operator}, ${id})`.execute(world.db)
    expect(await admin.remove(`${path}/delete`, { roleIds: [id] })).toMatchObject({ code: 21202, status: 409 })
    await sql`delete from user_role where role_id = ${id}`.execute(world.db)
  })

  it('grants nothing its maker does not hold there', async () => {
    const foreign = await admin.post(`${path}/create`, await draft({ departmentIds: [world.b.id] }))
    expect(foreign).toMatchObject({ code: 21260, status: 403 })
    expect(await admin.post(`${path}/create`, await draft({ departmentIds: [999_999] }))).toEqual(foreign)
    expect(await admin.post(`${path}/create`, await draft({ menuIds: [999_999] }))).toMatchObject({ status: 404 })
    expect(
      await admin.post(`${path}/create`, await draft({ menuIds: await menuIds('system:config:edit') })),
    ).toMatchObject({ code: 100013 })
    // The root's administrator holds it, but below the root it would mean nothing.
    expect(
      await root.post(`${path}/create`, await draft({ menuIds: await menuIds('system:config:edit') })),
    ).toMatchObject({ code: 100013 })
    const safety = await world.as('alder.safety')
    expect(await safety.post(`${path}/create`, await draft())).toMatchObject({ code: 100013 })
    expect(
      await safety.post(`${path}/create`, await draft({ menuIds: await menuIds('system:user:list') })),
    ).toMatchObject({ code: 100000 })
  })

  it('cannot be widened by an update either', async () => {
    const safety = await world.as('alder.safety')
    const id = await make({ menuIds: await menuIds('system:user:list') }, safety)
    expect(await safety.put(`${path}/update`, { id, menuIds: await menuIds('org:list:delete') })).toMatchObject({
      code: 100013,
    })
    expect(await safety.put(`${path}/update`, { id, departmentIds: [world.b.id] })).toMatchObject({ code: 21260 })
  })

  it('signs its holders out when what it grants changes, not when its name does', async () => {
    const id = await make()
    await addUser(world.db, { username: `holder${id}`, departmentId: world.a.office, roleIds: [id] })
    const holder = await world.as(`holder${id}`)
    await admin.put(`${path}/update`, { id, remark: 'A word' })
    expect(await holder.get('/api/v1/oauth/depts/list')).toMatchObject({ code: 100000 })
    await admin.put(`${path}/update`, { id, menuIds: await menuIds('org:tree:list') })
    expect(await holder.get('/api/v1/oauth/depts/list')).toMatchObject({ code: 100006 })
    const again = await world.as(`holder${id}`)
    expect(await again.get('/api/v1/oauth/depts/list')).toMatchObject({ code: 100013 })
  })
})

describe('shipped roles', () => {
  it('are read in the reader’s language and changed by nobody', async () => {
    const { token } = admin
    const answer = await world.request('GET', `${path}/list?pageSize=199`, undefined, {
      token,
      headers: { 'accept-language': 'zh-TW' },
    })
    const presets = (answer.data.sysRole as Record<string, unknown>[]).filter(
      (row) => row.preset && row.departmentId === world.a.id,
    )
    expect(presets.map((row) => row.name).sort()).toEqual(['操作員', '稽核員', '安全員', '管理員'].sort())
    expect(await admin.put(`${path}/update`, { id: presets[0]?.id, name: 'Mine' })).toMatchObject({ code: 21203 })
  })

  it('give an auditor eyes and no hands', async () => {
    const auditor = await world.as('alder.auditor')
    expect(await auditor.get('/api/v1/oauth/users/list')).toMatchObject({ code: 100000 })
    expect(await auditor.get('/api/v1/gateway/op-log/list')).not.toMatchObject({ status: 403 })
    expect(
      await auditor.post('/api/v1/oauth/depts/create', { name: 'X', type: 0, parentId: world.a.id }),
    ).toMatchObject({ code: 100013 })
    expect(await auditor.put('/api/v1/oauth/users/update', { id: world.a.operator, realName: 'X' })).toMatchObject({
      code: 100013,
    })
  })
})

describe('who is in a group', () => {
  const add = (who: Person) => who.post('/api/v3/device/group/addDevices', { groupId: 1, sns: ['NOBODY-1'] })
  const remove = (who: Person) => who.post('/api/v3/device/group/removeDevices', { groupId: 1, sns: ['NOBODY-1'] })
  const held = async (who: Person) =>
    ((await who.get('/api/v1/oauth/navigation')).data.permissions as string[]).filter((perm) =>
      perm.startsWith('device:groupRel:'),
    )

  it.each([
    ['alder.admin', true],
    ['alder.operator', true],
    ['alder.safety', false],
    ['alder.auditor', false],
  ])('is changed by %s: %s', async (name, may) => {
    const who = await world.as(name)
    for (const answer of [await add(who), await remove(who)])
      if (may) expect(answer.code).not.toBe(100013)
      else expect(answer).toMatchObject({ code: 100013 })
    expect(await held(who)).toHaveLength(may ? 2 : 0)
  })

  it('is changed only where the same role may edit groups', async () => {
    const roleIds = [
      await addRole(world.db, { departmentId: world.si, permissions: ['device:group:edit'], on: [world.b.id] }),
      await addRole(world.db, { departmentId: world.si, permissions: ['device:group:list'], on: [world.a.id] }),
    ]
    const id = await addUser(world.db, { username: 'two.groups', departmentId: world.a.id, roleIds })
    const actor = await createActorOf(world)(id, null)
    const { rows } = await sql<{ path: string }>`select path::text as path from department
      where id = ${world.b.id}`.execute(world.db)
    expect(actor && scopeFor(actor, 'device:groupRel:save')?.paths).toEqual(rows.map(({ path }) => path))
  })
})

describe('grantable menus', () => {
  it('are what one holds, never the installation’s own', async () => {
    const flat = (rows: { perms: string | null; list: never[] }[]): (string | null)[] =>
      rows.flatMap((row) => [row.perms, ...flat(row.list)])
    const held = flat((await admin.get(`${path}/menus`)).data.rows as never)
    expect(held).toContain('system:user:resetPwd')
    expect(held).not.toContain('system:menu:list')
    expect(flat((await root.get(`${path}/menus`)).data.rows as never)).toContain('system:menu:list')
    const safety = flat((await (await world.as('alder.safety')).get(`${path}/menus`)).data.rows as never)
    expect(safety).not.toContain('org:list:edit')
  })
})

describe('rights of several roles', () => {
  it('are those of each, never of all together', async () => {
    const perms = ['org:list:list', 'org:list:edit', 'org:list:add', 'system:user:list']
    const places = [world.a.id, world.a.office, world.a.shop, world.b.id, world.b.office, world.si]
    const { rows } = await sql<{
      id: number
      path: string
    }>`select id, path::text as path from department where id = any(${places})`.execute(world.db)
    const pathOf = new Map(rows.map((row) => [row.id, row.path]))
    const actorOf = createActorOf(world)
    const roleArbitrary = fc.record({
      permissions: fc.subarray(perms, { minLength: 1 }),
      on: fc.subarray(places, { minLength: 1, maxLength: 3 }),
    })
    let run = 0
    await fc.assert(
      fc.asyncProperty(fc.array(roleArbitrary, { minLength: 1, maxLength: 4 }), async (roles) => {
        run += 1
        const roleIds = await Promise.all(roles.map((role) => addRole(world.db, { departmentId: world.si, ...role })))
        const id = await addUser(world.db, { username: `pair${run}`, departmentId: world.a.office, roleIds })
        const actor = await actorOf(id, null)
        if (!actor) throw new Error('no actor')
        for (const perm of perms)
          for (const place of places) {
            const target = pathOf.get(place) as string
            const expected = roles.some(
              (role) =>
                role.permissions.includes(perm) &&
                role.on.some((top) => `${target}.`.startsWith(`${pathOf.get(top)}.`)),
            )
            const scope = scopeFor(actor, perm)
            expect([perm, target, scope !== null && covers(scope, target)]).toEqual([perm, target, expected])
          }
      }),
      { numRuns: 40 },
    )
  })
})
