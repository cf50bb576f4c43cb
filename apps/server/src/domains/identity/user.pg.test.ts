import { organisationType, userType } from '@campanile/contract'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addRole, testPassword } from '../../test/app.ts'
import { type Person, startWorld, type World } from '../../test/world.ts'
import { plant } from './planting.ts'

let world: World
let root: Person
let admin: Person
let safety: Person
beforeAll(async () => {
  world = await startWorld()
  root = await world.as('admin')
  admin = await world.as('alder.admin')
  safety = await world.as('alder.safety')
})
afterAll(() => world.stop())

const path = '/api/v1/oauth/users'
const preset = async (departmentId: number, name: string): Promise<number> => {
  const { rows } = await sql<{
    id: number
  }>`select id from sys_role where department_id = ${departmentId} and preset = ${name}`.execute(world.db)
  return rows[0]?.id as number
}
let count = 0
const draft = async (over: Record<string, unknown> = {}) => {
  count += 1
  return {
    username: `person${count}`,
    realName: `Person ${count}`,
    departmentId: world.a.office,
    roleIds: [await preset(world.a.id, 'operator')],
    password: await world.sealed(testPassword),
    ...over,
  }
}
const make = async (over: Record<string, unknown> = {}, who = admin): Promise<{ id: number; username: string }> => {
  const body = await draft(over)
  const answer = await who.post(`${path}/create`, body)
  expect(answer).toMatchObject({ code: 100000 })
  return { id: answer.data.id as number, username: body.username }
}
const rowOf = async (id: number) => {
  const { rows } = await sql<
    Record<string, unknown>
  >`select u.*, array(select role_id from user_role where user_id = u.id) as roles
    from sys_user u where id = ${id}`.execute(world.db)
  return rows[0]
}

describe('looking for a user', () => {
  it('finds account, real name and telephone with one text, beside the other filters', async () => {
    const { username } = await make({ username: 'zelda.oneill', realName: 'Quentin Marsh', mobile: '13911112222' })
    const found = async (query: Record<string, unknown>) => {
      const { code, data } = await admin.get(`${path}/list`, query)
      return [code, (data.sysUser as { username: string }[]).map((row) => row.username)]
    }
    for (const search of ['ELDA.ONE', 'quentin', '1111222', '"Quentin Marsh"'])
      expect([search, ...(await found({ search }))]).toEqual([search, 100000, [username]])
    expect(await found({ search: 'quentin', type: 3 })).toEqual([100000, []])
    expect(await found({ search: '"Quentin"' })).toEqual([100000, []])
  })
})

describe('creating a user', () => {
  it('makes an account that can sign in with the password given', async () => {
    const { username, id } = await make({
      whitelistIp: ['127.0.0.1', '10.0.0.0/8'],
      notifyType: [1, 3],
      mobile: '13800000000',
    })
    await world.as(username)
    const { data } = await admin.get(`${path}/list`, { username })
    expect(data).toMatchObject({
      total: 1,
      sysUser: [
        {
          id,
          username,
          departmentName: 'alder office',
          roleNames: 'Operator',
          loginStatus: 'normal',
          type: 2,
          enable2fa: false,
        },
      ],
    })
    expect(JSON.stringify(data)).not.toMatch(/password|argon/i)
  })

  it('takes each spelling of a name once', async () => {
    await make({ username: 'Kim.Berg' })
    for (const username of ['kim.berg', ' KIM.BERG ', 'ｋｉｍ.ｂｅｒｇ', 'kim\u200b.berg'])
      expect(await admin.post(`${path}/create`, await draft({ username }))).toMatchObject({
        code: 21251,
        data: { field: 'username' },
      })
  })

  it.each([
    [{ username: '' }, 21254],
    [{ username: '\u200b' }, 21254],
    [{ username: 'x'.repeat(129) }, 21271],
    [{ roleIds: [] }, 21263],
    [{ roleIds: undefined }, 21263],
    [{ departmentId: undefined }, 21264],
    [{ password: '' }, 21253],
    [{ password: undefined }, 21253],
    [{ mobile: '12345678901' }, 21265],
    [{ whitelistIp: ['10.0.0.300'] }, 21262],
    [{ whitelistIp: ['10.0.0.0/33'] }, 21262],
    [{ whitelistIp: ['somewhere'] }, 21262],
    [{ validStart: '2026-05-02', validEnd: '2026-05-01' }, 21261],
    [{ validEnd: '2026-02-30' }, 100002],
  ])('refuses %j with %i', async (over, code) => {
    expect(await admin.post(`${path}/create`, await draft(over))).toMatchObject({ code })
  })

  it.each(['short-1', 'no digits here!', 'nospecial123', `${'x1!'.repeat(22)}`, ' '])(
    'refuses the password %j',
    async (password) => {
      const answer = await admin.post(`${path}/create`, await draft({ password: await world.sealed(password) }))
      expect(answer).toMatchObject({ code: 21266 })
    },
  )

  it('refuses a password in the clear and one sent before', async () => {
    expect(await admin.post(`${path}/create`, await draft({ password: testPassword }))).toMatchObject({ status: 400 })
    const password = await world.sealed(testPassword)
    await make({ password })
    expect(await admin.post(`${path}/create`, await draft({ password }))).toMatchObject({ status: 400 })
  })

  it('stays inside the caller’s enterprise', async () => {
    const foreign = await admin.post(`${path}/create`, await draft({ departmentId: world.b.office }))
    expect(foreign).toMatchObject({ code: 21260, status: 403 })
    expect(await admin.post(`${path}/create`, await draft({ departmentId: 999_999 }))).toEqual(foreign)
    expect(await admin.post(`${path}/create`, await draft({ departmentId: world.si }))).toEqual(foreign)
    expect(
      await admin.post(`${path}/create`, await draft({ roleIds: [await preset(world.b.id, 'operator')] })),
    ).toMatchObject({ code: 21260 })
    expect(await admin.post(`${path}/create`, await draft({ roleIds: [999_999] }))).toMatchObject({ code: 21260 })
  })
})

describe('types of administrator', () => {
  it('has one super administrator per enterprise, made by one of their own kind', async () => {
    const roleIds = [await preset(world.a.id, 'administrator')]
    expect(
      await root.post(`${path}/create`, await draft({ type: 0, departmentId: world.a.id, roleIds })),
    ).toMatchObject({ code: 21257 })
    expect(
      await root.post(`${path}/create`, await draft({ type: 0, departmentId: world.a.office, roleIds })),
    ).toMatchObject({ code: 21257 })
    const school = { type: 0, departmentId: world.a.school, roleIds: [await preset(world.a.school, 'administrator')] }
    expect(await safety.post(`${path}/create`, await draft(school))).toMatchObject({ code: 100013 })
    const { id } = await make(school)
    expect(await rowOf(id)).toMatchObject({ type: 0, department_id: world.a.school })
  })

  it('lets a top-level SI or an enterprise add one safety officer each, also for its schools', async () => {
    const officer = async (departmentId: number) =>
      draft({ type: 1, departmentId, roleIds: [await preset(departmentId, 'safetyOfficer')] })
    expect(await admin.post(`${path}/create`, await officer(world.a.id))).toMatchObject({ code: 21258 })
    const ownSchool = await plant(world.db, {
      name: 'Second school',
      type: organisationType.school,
      parentId: world.a.id,
    })
    expect(await admin.post(`${path}/create`, await officer(ownSchool))).toMatchObject({ code: 100000 })
    expect(await admin.post(`${path}/create`, await officer(ownSchool))).toMatchObject({ code: 21258 })
    expect(
      await admin.post(`${path}/create`, { ...(await officer(world.a.id)), departmentId: world.a.office }),
    ).toMatchObject({ code: 21259 })
  })

  it('does not let a school, a department or an SI below an SI add one', async () => {
    const headSchool = await plant(world.db, {
      name: 'Third school',
      type: organisationType.school,
      parentId: world.a.id,
    })
    const { username } = await make({
      type: 0,
      departmentId: headSchool,
      roleIds: [await preset(headSchool, 'administrator')],
    })
    const head = await world.as(username)
    const officer = await draft({
      type: 1,
      departmentId: headSchool,
      roleIds: [await preset(headSchool, 'safetyOfficer')],
    })
    expect(await head.post(`${path}/create`, officer)).toMatchObject({ code: 21259, status: 403 })

    const lower = await plant(world.db, { name: 'Lower SI', type: organisationType.si, parentId: world.si })
    const harbour = await world.as('harbour.admin')
    const made = await make({ type: 0, departmentId: lower, roleIds: [await preset(lower, 'administrator')] }, harbour)
    const lowerHead = await world.as(made.username)
    const its = await draft({ type: 1, departmentId: lower, roleIds: [await preset(lower, 'safetyOfficer')] })
    expect(await lowerHead.post(`${path}/create`, its)).toMatchObject({ code: 21259 })
    expect(await harbour.post(`${path}/create`, { ...its, password: await world.sealed(testPassword) })).toMatchObject({
      code: 100000,
    })
  })

  it('keeps super administrators what they are', async () => {
    const { id } = await make()
    expect(await admin.put(`${path}/update`, { id, type: 0 })).toMatchObject({ code: 21270 })
    expect(await root.put(`${path}/update`, { id: world.a.admin, type: 2 })).toMatchObject({ code: 21270 })
    expect(await admin.put(`${path}/update`, { id, type: 1 })).toMatchObject({ code: 21259 })
    expect(await admin.put(`${path}/update`, { id, type: 3 })).toMatchObject({ code: 100000 })
  })
})

describe('giving roles', () => {
  it('gives no more than one holds, pair by pair', async () => {
    const perms = [
      'system:user:list',
      'system:user:add',
      'system:user:edit',
      'system:user:delete',
      'system:user:resetPwd',
      'system:role:list',
      'system:role:add',
    ]
    const helper = await addRole(world.db, { departmentId: world.a.id, permissions: perms, on: [world.a.office] })
    const wide = await addRole(world.db, {
      departmentId: world.a.id,
      permissions: ['system:user:list'],
      on: [world.a.id],
    })
    const { username } = await make({ roleIds: [helper, wide] })
    const person = await world.as(username)
    const same = await addRole(world.db, {
      departmentId: world.a.office,
      permissions: ['system:user:add', 'system:user:list'],
    })
    expect(await person.post(`${path}/create`, await draft({ roleIds: [same] }))).toMatchObject({ code: 100000 })

    // The second role reaches the shop, but only to look: adding there would be a pair nobody granted.
    const shop = await addRole(world.db, {
      departmentId: world.a.office,
      permissions: ['system:user:add'],
      on: [world.a.shop],
    })
    expect(await person.post(`${path}/create`, await draft({ roleIds: [shop] }))).toMatchObject({ code: 100013 })
    expect(
      await person.post(`${path}/create`, await draft({ departmentId: world.a.shop, roleIds: [same] })),
    ).toMatchObject({ code: 21260 })
    const more = await addRole(world.db, { departmentId: world.a.office, permissions: ['org:list:delete'] })
    expect(await person.post(`${path}/create`, await draft({ roleIds: [more] }))).toMatchObject({ code: 100013 })

    const assignable = (await person.get('/api/v1/oauth/roles/assignable')).data.rows as { id: number }[]
    const ids = assignable.map((row) => row.id)
    expect(ids).toContain(same)
    expect(ids).not.toContain(shop)
    expect(ids).not.toContain(more)
    expect(ids).not.toContain(await preset(world.a.id, 'operator'))
  })

  it('lets a safety officer hand out operators’ and auditors’ duties, not the administrator’s', async () => {
    await make({ roleIds: [await preset(world.a.id, 'operator')] }, safety)
    await make({ type: 3, roleIds: [await preset(world.a.id, 'auditor')] }, safety)
    const roleIds = [await preset(world.a.id, 'administrator')]
    expect(await safety.post(`${path}/create`, await draft({ roleIds }))).toMatchObject({ code: 100013 })
  })

  it('touches nobody who may do more', async () => {
    for (const [verb, body] of [
      ['resetPassword', { id: world.a.admin, password: await world.sealed(testPassword) }],
      ['disable', { id: world.a.admin }],
      ['resetTwoFactor', { id: world.a.admin }],
      ['unlock', { id: world.a.admin }],
    ] as const)
      expect(await safety.post(`${path}/${verb}`, body)).toMatchObject({ code: 100013, status: 403 })
    expect(await safety.put(`${path}/update`, { id: world.a.admin, realName: 'Mine' })).toMatchObject({ code: 100013 })
    expect(await safety.remove(`${path}/delete`, { userIds: [world.a.admin] })).toMatchObject({ code: 100013 })
  })
})

describe('changing a user', () => {
  it('leaves the password alone when it is blank and takes a new one', async () => {
    const { id, username } = await make()
    const before = await rowOf(id)
    expect(await admin.put(`${path}/update`, { id, realName: 'Renamed', password: '' })).toMatchObject({ code: 100000 })
    expect(await rowOf(id)).toMatchObject({ real_name: 'Renamed', password_hash: before?.password_hash })
    expect(await admin.put(`${path}/update`, { id, password: await world.sealed(' ') })).toMatchObject({ code: 21266 })
    expect(await admin.put(`${path}/update`, { id, password: ' ' })).toMatchObject({ status: 400 })
    await admin.put(`${path}/update`, { id, password: await world.sealed('Another-horse-8') })
    await world.as(username, 'Another-horse-8')
  })

  it.each([
    ['roleIds', async () => [await preset(world.a.id, 'auditor')]],
    ['type', async () => 3],
    ['departmentId', async () => world.a.shop],
    ['whitelistIp', async () => []],
    ['validStart', async () => '2020-01-01'],
    ['validEnd', async () => '2099-01-01'],
    ['password', async () => world.sealed('Another-horse-8')],
  ])('does not let anybody change their own %s', async (field, value) => {
    const before = await rowOf(world.a.safety)
    const over = { id: world.a.safety, [field]: await value() }
    if (field === 'whitelistIp')
      await sql`update sys_user set whitelist_ip = '{127.0.0.1}' where id = ${world.a.safety}`.execute(world.db)
    expect(await safety.put(`${path}/update`, over)).toMatchObject({ code: 100013, status: 403, data: { field } })
    await sql`update sys_user set whitelist_ip = '{}' where id = ${world.a.safety}`.execute(world.db)
    expect(await rowOf(world.a.safety)).toEqual(before)
    const auditor = await world.as('alder.auditor')
    expect(await auditor.put(`${path}/update`, { ...over, id: world.a.auditor })).toMatchObject({ code: 100013 })
  })

  it('lets people keep their own entries when the whole form is sent', async () => {
    const row = (
      (await safety.get(`${path}/list`, { username: 'alder.safety' })).data.sysUser as Record<string, unknown>[]
    )[0]
    const body = {
      id: row?.id,
      realName: 'Alder Safety',
      type: row?.type,
      roleIds: row?.roleIds,
      departmentId: row?.departmentId,
      whitelistIp: row?.whitelistIp,
      validEnd: null,
    }
    expect(await safety.put(`${path}/update`, body)).toMatchObject({ code: 100000 })
  })

  it.each([
    ['roles', async () => ({ roleIds: [await preset(world.a.id, 'auditor')] })],
    ['department', async () => ({ departmentId: world.a.shop })],
    ['type', async () => ({ type: 3 })],
    ['whitelist', async () => ({ whitelistIp: ['127.0.0.1', '10.1.1.1'] })],
    ['password', async () => ({ password: await world.sealed('Another-horse-8') })],
  ])('ends the sessions of somebody whose %s changed', async (_, change) => {
    const { id, username } = await make()
    const person = await world.as(username)
    expect(await person.get('/api/v1/oauth/depts')).toMatchObject({ code: 100000 })
    await admin.put(`${path}/update`, { id, ...(await change()) })
    expect(await person.get('/api/v1/oauth/depts')).toMatchObject({ code: 100006, status: 401 })
  })

  it('does not sign anybody out for a new telephone number', async () => {
    const { id, username } = await make()
    const person = await world.as(username)
    await admin.put(`${path}/update`, { id, mobile: '13900000000' })
    expect(await person.get('/api/v1/oauth/depts')).toMatchObject({ code: 100000 })
  })

  it('answers for people of another enterprise as for people who do not exist', async () => {
    const foreign = await admin.put(`${path}/update`, { id: world.b.operator, realName: 'Mine' })
    expect(foreign).toMatchObject({ status: 404, code: 21252 })
    expect(await admin.put(`${path}/update`, { id: 999_999, realName: 'Mine' })).toMatchObject({
      status: 404,
      code: foreign.code,
    })
    expect(await admin.put(`${path}/update`, { id: world.a.operator, departmentId: world.b.office })).toMatchObject({
      code: 21260,
    })
  })
})

describe('removing users', () => {
  it('refuses the default administrator and oneself, and passes them over among others', async () => {
    const { rows } = await sql<{ id: number }>`select id from sys_user where is_default`.execute(world.db)
    const first = rows[0]?.id as number
    expect(await root.remove(`${path}/delete`, { userIds: [first] })).toMatchObject({ code: 21255, status: 403 })
    expect(await admin.remove(`${path}/delete`, { userIds: [world.a.admin] })).toMatchObject({ code: 21256 })
    const { id } = await make()
    expect(await admin.remove(`${path}/delete`, { userIds: [id, world.a.admin] })).toMatchObject({
      code: 100028,
      data: { removed: 1, skipped: [{ id: world.a.admin, name: 'alder.admin', code: 21256 }] },
    })
    expect(await rowOf(id)).toBeUndefined()
  })

  it('removes nobody when one of them is out of reach', async () => {
    const { id } = await make()
    expect(await admin.remove(`${path}/delete`, { userIds: [id, world.b.operator] })).toMatchObject({ status: 404 })
    expect(await rowOf(id)).toBeDefined()
  })
})

describe('actions on a user', () => {
  it('unlocks', async () => {
    const { id, username } = await make()
    await sql`update sys_user set failed_count = 5, locked_until = now() + interval '1 hour' where id = ${id}`.execute(
      world.db,
    )
    const status = async () =>
      ((await admin.get(`${path}/list`, { username })).data.sysUser as Record<string, unknown>[])[0]?.loginStatus
    expect(await status()).toBe('locked')
    expect(await safety.post(`${path}/unlock`, { id })).toMatchObject({ code: 100000 })
    expect(await status()).toBe('normal')
  })

  it('disables with every session and enables again, but never oneself or the default administrator', async () => {
    const { id, username } = await make()
    const person = await world.as(username)
    await admin.post(`${path}/disable`, { id })
    expect(await person.get('/api/v1/oauth/depts')).toMatchObject({ code: 100006 })
    expect(await admin.get(`${path}/list`, { username, loginStatus: 'disabled' })).toMatchObject({ data: { total: 1 } })
    await admin.post(`${path}/enable`, { id })
    await world.as(username)
    expect(await admin.post(`${path}/disable`, { id: world.a.admin })).toMatchObject({ code: 21256 })
    const { rows } = await sql<{ id: number }>`select id from sys_user where is_default`.execute(world.db)
    expect(await root.post(`${path}/disable`, { id: rows[0]?.id })).toMatchObject({ code: 21255 })
  })

  it('resets a password, past a second factor only for those who have one', async () => {
    const { id, username } = await make()
    await sql`update sys_user set enable_2fa = true where id = ${id}`.execute(world.db)
    expect(
      await admin.post(`${path}/resetPassword`, { id, password: await world.sealed('Another-horse-8') }),
    ).toMatchObject({ code: 21269 })
    await sql`update sys_user set enable_2fa = true where id = ${world.a.admin}`.execute(world.db)
    expect(await admin.post(`${path}/resetPassword`, { id, password: await world.sealed('weak') })).toMatchObject({
      code: 21266,
    })
    expect(
      await admin.post(`${path}/resetPassword`, { id, password: await world.sealed('Another-horse-8') }),
    ).toMatchObject({ code: 100000 })
    await sql`update sys_user set enable_2fa = false where id in (${id}, ${world.a.admin})`.execute(world.db)
    await world.as(username, 'Another-horse-8')
    expect(
      await admin.post(`${path}/resetPassword`, { id: world.a.admin, password: await world.sealed('Another-horse-8') }),
    ).toMatchObject({ code: 100013 })
  })

  it('takes a lost second factor off, except where there can be none', async () => {
    const { id } = await make()
    await sql`update sys_user set enable_2fa = true, totp_secret = 'x' where id = ${id}`.execute(world.db)
    expect(await safety.post(`${path}/resetTwoFactor`, { id })).toMatchObject({ code: 100000 })
    expect(await rowOf(id)).toMatchObject({ enable_2fa: false, totp_secret: null })
    const { rows } = await sql<{ id: number }>`select id from sys_user where is_default`.execute(world.db)
    expect(await root.post(`${path}/resetTwoFactor`, { id: rows[0]?.id })).toMatchObject({ code: 21018 })
  })
})

describe('counting people', () => {
  it('keeps in step with who comes, moves and goes', async () => {
    const { id } = await make({ departmentId: world.a.shop })
    const others = [await make({ departmentId: world.a.shop }), await make({ departmentId: world.a.office })]
    await admin.put(`${path}/update`, { id, departmentId: world.a.office })
    await admin.remove(`${path}/delete`, { userIds: others.map((other) => other.id) })
    const { rows } = await sql`select kept.id, kept.total, counted.total as counted from (
        select d.id, coalesce(sum(b.total), 0) as total from department d
        left join department_below b on b.department_id = d.id and b.kind = 'person' group by d.id) kept
      join (select d.id, count(u.id) as total from department d left join department p on p.path <@ d.path
        left join sys_user u on u.department_id = p.id group by d.id) counted using (id)
      where kept.total <> counted.total`.execute(world.db)
    expect(rows).toEqual([])
    const node = (
      (await admin.get('/api/v1/oauth/depts', { ids: world.a.id })).data.rows as Record<string, unknown>[]
    )[0]
    expect(node?.personCount).toBe((await admin.get(`${path}/list`)).data.total)
  })
})

describe('the list of users', () => {
  it('tells every state and filters by it', async () => {
    const states = {
      normal: sql`disabled = false`,
      locked: sql`locked_until = now() + interval '1 hour'`,
      disabled: sql`disabled = true`,
      expired: sql`valid_end = current_date - 1`,
    }
    for (const [state, set] of Object.entries(states)) {
      const { id, username } = await make({ departmentId: world.a.shop })
      await sql`update sys_user set ${set} where id = ${id}`.execute(world.db)
      expect(await admin.get(`${path}/list`, { username, loginStatus: state })).toMatchObject({
        data: { total: 1, sysUser: [{ id, loginStatus: state }] },
      })
    }
    const some = await admin.get(`${path}/list`, { departmentId: world.a.shop, loginStatus: ['locked', 'expired'] })
    expect(some.data.total).toBe(2)
  })

  it.each([
    ['page', { page: 0 }],
    ['pageSize', { pageSize: 0 }],
    ['pageSize', { pageSize: 200 }],
  ])('names a %s that is none: %j', async (field, query) => {
    expect(await admin.get(`${path}/list`, query)).toMatchObject({ status: 400, code: 100011, data: { field } })
  })

  it('means a whole subtree by a department, and one’s own enterprise by none', async () => {
    const all = (await admin.get(`${path}/list`, { pageSize: 199 })).data
    expect((await admin.get(`${path}/list`, { departmentId: world.a.id })).data.total).toBe(all.total)
    expect((await admin.get(`${path}/list`, { departmentId: world.si })).data.total).toBe(all.total)
    expect((await admin.get(`${path}/list`, { departmentId: world.b.id })).data.total).toBe(0)
    expect(JSON.stringify(all)).not.toContain('birch')
    expect((await root.get(`${path}/list`, { pageSize: 199, type: userType.super })).data.total).toBeGreaterThan(3)
  })
})
