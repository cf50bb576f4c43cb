import { createHmac, randomUUID } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import {
  changePassword,
  confirmScanLogin,
  getAuthInfo,
  liveTicket,
  login,
  loginSingle,
  loginWith2Fa,
  logout,
  operationLog,
  organisation,
  pollScanLogin,
  refreshSession,
  type SignedIn,
  startScanLogin,
  user,
} from '@campanile/contract'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import WebSocket from 'ws'
import { addUser, sealedPassword, testPassword } from '../test/app.ts'
import { askForSecondStep, enrolInTwoFactor } from '../test/two-factor.ts'
import { startWorld, type World } from '../test/world.ts'

let world: World
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world.stop())
beforeEach(async () => {
  await sql`delete from rate_limit`.execute(world.db)
  await sql`update sys_user set failed_count = 0, locked_until = null, password_changed_at = ${world.clock.now()}`.execute(
    world.db,
  )
})

const owner = 'harbour.admin'
const stateOf = async (token: string) => (await world.call(refreshSession, {}, { token })).code
const enter = async (token: string, departmentId: number) =>
  (await world.call(loginSingle, { departmentId }, { token })).data as unknown as SignedIn
const startScan = async () => {
  const { ticket, url } = (await world.call(startScanLogin, {})).data as { ticket: string; url: string }
  return { ticket, code: new URL(url).searchParams.get('code') ?? '' }
}
const poll = async (ticket: string) =>
  (await world.call(pollScanLogin, { ticket })).data as { state: string } & Partial<SignedIn>
/** A second browser, let in by the session of this token. */
const scanWith = async (token: string) => {
  const { ticket, code } = await startScan()
  const confirmed = await world.call(confirmScanLogin, { code }, { token })
  expect(confirmed.code).toBe(100000)
  return (await poll(ticket)) as unknown as SignedIn
}
const changeOwn = async (token: string, from = testPassword, to = 'New-horse-77') =>
  world.call(
    changePassword,
    { oldPassword: await sealedPassword(world, from), newPassword: await sealedPassword(world, to) },
    { token },
  )
const restorePassword = () =>
  sql`update sys_user u set password_hash = o.password_hash from sys_user o
    where o.username = 'alder.operator' and u.username = ${owner}`.execute(world.db)
/** Uses a token often enough not to be idle, for so many hours. */
const useFor = async (token: string, hours: number) => {
  for (let minutes = 0; minutes < hours * 60; minutes += 20) {
    world.clock.advance(20 * 60)
    await stateOf(token)
  }
}
const names = async (token: string) => {
  const { data } = await world.request('GET', `${organisation.wire.path}/list?pageSize=100`, undefined, { token })
  return JSON.stringify(data)
}

/** Every way one token makes another. */
const ways: [string, (token: string) => Promise<SignedIn>][] = [
  ['entering an organisation', (token) => enter(token, world.a.id)],
  ['letting a browser in by scanning', scanWith],
  [
    'a browser let in by scanning that enters an organisation',
    async (token) => enter((await scanWith(token)).token, world.a.id),
  ],
  [
    'a browser let in by scanning from an organisation',
    async (token) => scanWith((await enter(token, world.a.id)).token),
  ],
]

describe.each(ways)('a session made by %s', (_, make) => {
  it('ends with the one it was made from', async () => {
    const { token } = await world.signIn(owner)
    const child = await make(token)
    expect(await stateOf(child.token)).toBe(100000)
    await world.call(logout, {}, { token })
    expect(await stateOf(child.token)).toBe(100006)
  })

  it('ends when the password changes', async () => {
    const { token } = await world.signIn(owner)
    const child = await make(token)
    const changed = await changeOwn(token)
    expect(changed.code).toBe(100000)
    expect(await stateOf(child.token)).toBe(100006)
    expect(await stateOf(token)).toBe(100006)
    await restorePassword()
  })

  it('is as old as the one it was made from', async () => {
    const { token } = await world.signIn(owner)
    await useFor(token, 11)
    const child = await make(token)
    await useFor(child.token, 2 / 3)
    expect(await stateOf(child.token)).toBe(100000)
    await useFor(child.token, 1 / 3)
    expect(await stateOf(child.token)).toBe(100006)
  })

  it('is never alive after the one it was made from, whichever of them is used', async () => {
    const { token } = await world.signIn(owner)
    const child = await make(token)
    await useFor(child.token, 2)
    expect(await stateOf(token)).toBe(100000)
    expect(await stateOf(child.token)).toBe(100000)
    await useFor(token, 1)
    expect(await stateOf(child.token)).toBe(100006)
  })

  it('does not come to life when the other ends while it is being made', async () => {
    const { token } = await world.signIn(owner)
    const [made] = await Promise.allSettled([make(token), world.call(logout, {}, { token })])
    const child = made.status === 'fulfilled' ? made.value.token : undefined
    if (child) expect(await stateOf(child)).toBe(100006)
  })
})

describe('a token that acts on one organisation', () => {
  it('lets in a browser that acts on that organisation alone', async () => {
    const { token } = await world.signIn(owner)
    const entered = await enter(token, world.a.id)
    const child = await scanWith(entered.token)
    expect(child.user.operating).toMatchObject({ departmentId: world.a.id })
    expect(await names(token)).toContain('birch')
    for (const narrow of [entered.token, child.token]) {
      expect(await names(narrow)).toContain('alder')
      expect(await names(narrow)).not.toContain('birch')
    }
    expect((await world.call(loginSingle, { departmentId: world.b.id }, { token: child.token })).code).toBe(100013)
  })

  it('changes no password, because that would make a token that acts on all of them', async () => {
    const { token } = await world.signIn(owner)
    const entered = await enter(token, world.a.id)
    expect(await changeOwn(entered.token)).toMatchObject({ status: 403, code: 21021 })
    expect((await changeOwn((await scanWith(entered.token)).token)).code).toBe(21021)
    expect(await stateOf(entered.token)).toBe(100000)
  })
})

describe('a browser let in by scanning', () => {
  it('leaves alone: the one that let it in stays', async () => {
    const { token } = await world.signIn(owner)
    const child = await scanWith(token)
    const entered = await enter(child.token, world.a.id)
    await world.call(logout, {}, { token: entered.token })
    expect([await stateOf(entered.token), await stateOf(child.token), await stateOf(token)]).toEqual([
      100006, 100006, 100000,
    ])
  })

  it('lets no other one in, also not from an organisation it has entered', async () => {
    const { token } = await world.signIn(owner)
    const child = await scanWith(token)
    const { code } = await startScan()
    for (const each of [child.token, (await enter(child.token, world.a.id)).token])
      expect((await world.call(confirmScanLogin, { code }, { token: each })).code).toBe(21022)
    expect((await world.call(confirmScanLogin, { code }, { token })).code).toBe(100000)
  })

  it('does not clear what was counted, and stays out while the account is locked', async () => {
    const { token } = await world.signIn(owner)
    for (let n = 0; n < 4; n++) await world.call(login, { username: owner, password: 'Wrong-horse-7' })
    await scanWith(token)
    expect((await world.call(login, { username: owner, password: 'Wrong-horse-7' })).code).toBe(21014)
    const { ticket, code } = await startScan()
    await world.call(confirmScanLogin, { code }, { token })
    expect((await world.call(pollScanLogin, { ticket })).code).toBe(21003)
    await expect(world.signIn(owner)).rejects.toThrow('21003')
  })
})

describe('a new password', () => {
  it('gives a token as old as the one it replaces', async () => {
    const { token } = await world.signIn(owner)
    await useFor(token, 11)
    const { token: renewed } = (await changeOwn(token)).data as unknown as SignedIn
    await useFor(renewed, 1)
    expect(await stateOf(renewed)).toBe(100006)
    await restorePassword()
  })

  it('of a browser let in by scanning ends the one that let it in', async () => {
    const { token } = await world.signIn(owner)
    const child = await scanWith(token)
    const { token: renewed } = (await changeOwn(child.token)).data as unknown as SignedIn
    expect([await stateOf(token), await stateOf(child.token), await stateOf(renewed)]).toEqual([100006, 100006, 100000])
    await restorePassword()
  })
})

/** What ends every session somebody has. */
const endings: [string, (token: string) => Promise<unknown>][] = [
  ['their new password', (token) => changeOwn(token)],
  [
    'an administrator who sets another',
    async () => {
      const root = await world.as('admin')
      const { rows } = await sql<{ id: number }>`select id from sys_user where username = ${owner}`.execute(world.db)
      const body = { id: rows[0]?.id, password: await world.sealed('New-horse-77') }
      expect((await root.post(`${user.wire.path}/resetPassword`, body)).code).toBe(100000)
    },
  ],
]

describe.each(endings)('tickets handed out before %s', (_, end) => {
  it('of a scan lead nowhere', async () => {
    const { token } = await world.signIn(owner)
    const { ticket, code } = await startScan()
    await world.call(confirmScanLogin, { code }, { token })
    await end(token)
    expect((await poll(ticket)).state).toBe('expired')
    await restorePassword()
  })

  it('of a live connection lead nowhere', async () => {
    const { token } = await world.signIn(owner)
    const { ticket } = (await world.call(liveTicket, {}, { token })).data as { ticket: string }
    await end(token)
    if (!world.app.server.listening) await world.app.listen({ port: 0, host: '127.0.0.1' })
    const host = `127.0.0.1:${(world.app.server.address() as AddressInfo).port}`
    const socket = new WebSocket(`ws://${host}/api/live?ticket=${ticket}`, { headers: { origin: `http://${host}` } })
    const outcome = await new Promise((resolve) => {
      socket.on('open', () => resolve('open'))
      socket.on('error', () => resolve('refused'))
    })
    socket.terminate()
    expect(outcome).toBe('refused')
    await restorePassword()
  })
})

describe('a second step that was begun', () => {
  const name = 'alder.safety'

  it('leads nowhere after the password has changed', async () => {
    const { token, code } = await enrolInTwoFactor(world, name)
    const { ticket } = await askForSecondStep(world, name)
    expect((await changeOwn(token)).code).toBe(100000)
    expect((await world.call(loginWith2Fa, { ticket, code: code() })).code).toBe(21016)
  })
})

describe('a token of the trusted external system', () => {
  const secret = 'a shared secret of more than 32 characters'
  const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const bring = (sub: string, at = world.clock.now()) => {
    const iat = Math.floor(at.getTime() / 1000)
    const body = { iss: 'https://portal.example', aud: 'campanile', sub, iat, exp: iat + 60, jti: randomUUID() }
    const signed = `${encode({ alg: 'HS256' })}.${encode(body)}`
    return world.call(getAuthInfo, {
      token: `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`,
    })
  }
  beforeAll(async () => {
    const trusted = { trustedIssuer: 'https://portal.example', trustedIssuerKey: secret }
    await world.settings.save(world.db, { ...trusted, trustedIssuerDepartmentId: world.b.id }, world.b.admin)
    world.clock.advance(2)
  })

  it('does not stand for the second factor', async () => {
    const { code } = await enrolInTwoFactor(world, 'birch.operator')
    const { data } = await bring('birch.operator')
    expect(data).toMatchObject({ enable2fa: true, ticket: expect.any(String) })
    expect(data.token).toBeUndefined()
    const done = await world.call(loginWith2Fa, { ticket: String(data.ticket), code: code() })
    expect(await stateOf(String(done.data.token))).toBe(100000)
  })

  it('neither passes a lock nor clears what was counted', async () => {
    const guess = () => world.call(login, { username: 'birch.auditor', password: 'Wrong-horse-7' })
    for (let n = 0; n < 4; n++) await guess()
    expect((await bring('birch.auditor')).code).toBe(100000)
    await guess()
    expect(await bring('birch.auditor')).toMatchObject({ status: 403, code: 21003 })
    await expect(world.signIn('birch.auditor')).rejects.toThrow('21003')
  })

  it('is worth nothing after the password has changed', async () => {
    const issued = world.clock.now()
    world.clock.advance(20)
    const { token } = await world.signIn('birch.safety')
    expect((await changeOwn(token)).code).toBe(100000)
    expect((await bring('birch.safety', issued)).code).toBe(21013)
    expect((await bring('birch.safety')).code).toBe(100000)
  })
})

describe('what somebody from above does inside an enterprise', () => {
  it('stands in its log, marked as from outside, beginning with coming in', async () => {
    const { token } = await world.signIn(owner)
    const inside = await enter(token, world.a.id)
    const { rows } = await sql<{ id: number }>`select id from sys_user where username = 'alder.operator'`.execute(
      world.db,
    )
    const body = { id: rows[0]?.id }
    expect((await world.request('POST', `${user.wire.path}/unlock`, body, { token: inside.token })).code).toBe(100000)
    const log = async (username: string) => {
      const person = await world.as(username)
      const { data } = await person.get(`${operationLog.wire.path}/list`, { username: owner, pageSize: 100 })
      return (data.opLogs ?? data.rows) as { route: string; outside: boolean; departmentName: string }[]
    }
    const theirs = await log('alder.admin')
    expect(theirs.map(({ route, outside, departmentName }) => [route, outside, departmentName])).toEqual(
      expect.arrayContaining([
        [`POST ${user.wire.path}/unlock`, true, 'alder works'],
        [`POST ${loginSingle.path}`, true, 'alder works'],
      ]),
    )
    expect(await log('birch.admin')).toEqual([])
    expect((await log(owner)).map(({ route }) => route)).toContain(`POST ${user.wire.path}/unlock`)
  })

  it('stands in its log without coming in, too; where it touches several, in each of theirs', async () => {
    const { token } = await world.signIn(owner)
    const add = (word: string, departmentId: number) => addUser(world.db, { username: `${word}.leaver`, departmentId })
    const [alder, birch] = [await add('alder', world.a.id), await add('birch', world.b.shop)]
    const log = async (username: string, type: string) => {
      const person = await world.as(username)
      const { data } = await person.get(`${operationLog.wire.path}/list`, { username: owner, type, pageSize: 100 })
      return (data.opLogs as { route: string; outside: boolean; departmentName: string }[]).map(
        ({ route, outside, departmentName }) => [route, outside, departmentName],
      )
    }
    expect((await world.request('POST', `${user.wire.path}/disable`, { id: birch }, { token })).code).toBe(100000)
    const disabled = [`POST ${user.wire.path}/disable`, true, 'birch works']
    expect(await log('birch.admin', 'action')).toContainEqual(disabled)
    expect(await log(owner, 'action')).toContainEqual(disabled)
    expect(await log('alder.admin', 'action')).not.toContainEqual(disabled)
    const both = { [user.wire.idsKey]: [alder, birch] }
    expect((await world.request('DELETE', `${user.wire.path}/delete`, both, { token })).code).toBe(100000)
    const removed = (place: string) => [`DELETE ${user.wire.path}/delete`, true, place]
    expect(await log('alder.admin', 'remove')).toEqual([removed('alder works')])
    expect(await log('birch.admin', 'remove')).toEqual([removed('birch works')])
    expect(await log(owner, 'remove')).toEqual(expect.arrayContaining([removed('alder works'), removed('birch works')]))
  })

  it('is theirs alone where it concerns themselves', async () => {
    const { token } = await world.signIn(owner)
    const inside = await enter(token, world.a.id)
    await world.request('PUT', '/api/v1/oauth/profile', { realName: 'Harbour master', sex: 1 }, { token: inside.token })
    const { rows } = await sql<{ name: string }>`select department_name as name from op_log_now()
      where route = 'PUT /api/v1/oauth/profile' order by id desc limit 1`.execute(world.db)
    expect(rows[0]?.name).toBe('Harbour')
  })
})

describe('what proves who somebody is', () => {
  it.each([
    ['GET', '/api/v1/oauth/profile?SessionId=TOKEN'],
    ['GET', '/api/v1/oauth/profile?sessionid=TOKEN'],
    ['GET', '/api/v1/oauth/users/list?token=TOKEN'],
    ['GET', '/api/v1/oauth/users/list?access_token=TOKEN'],
    ['POST', '/api/v1/login?username=admin&password=TOKEN'],
    ['POST', '/api/v1/loginWith2Fa?ticket=TOKEN&code=123456'],
    ['POST', '/api/v1/login/sms?mobile=13800138000&code=123456'],
    ['POST', '/api/v1/getAuthInfo?token=TOKEN'],
    ['DELETE', '/api/v1/oauth/logout?%53ession-Id=TOKEN'],
  ] as const)('is refused in an address: %s %s', async (method, address) => {
    const { token } = await world.signIn(owner)
    const url = address.replaceAll('TOKEN', token)
    const answer = await world.request(method, url, method === 'GET' ? undefined : {}, { token })
    expect(answer).toMatchObject({ status: 400, code: 21026 })
    expect(JSON.stringify(answer)).not.toContain(token)
    expect(await stateOf(token)).toBe(100000)
  })
})
