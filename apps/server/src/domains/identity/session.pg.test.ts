import { login, loginSingle, logout, refreshSession, type SignedIn } from '@campanile/contract'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addDepartment, addRole, addUser, startTestApp, type TestApp, testPassword } from '../../test/app.ts'
import { hashToken } from './token.ts'

let test: TestApp
const at = { root: 0, enterprise: 0, branch: 0, other: 0 }

beforeAll(async () => {
  test = await startTestApp()
  const { db } = test
  at.root = await addDepartment(db, { name: 'Platform' })
  at.enterprise = await addDepartment(db, { name: 'Enterprise', parentId: at.root, type: 1 })
  at.branch = await addDepartment(db, { name: 'Branch', parentId: at.enterprise, type: 0 })
  at.other = await addDepartment(db, { name: 'Other', parentId: at.root, type: 1 })
  const roleId = await addRole(db, { departmentId: at.enterprise, permissions: ['org:list:list'] })
  await addUser(db, { username: 'operator', departmentId: at.enterprise, roleIds: [roleId] })
})
afterAll(() => test.stop())

const refresh = (token: string) => test.call(refreshSession, {}, { token })

describe('a session', () => {
  it('is opened by the right password and known by its token from then on', async () => {
    const { token, user } = await test.signIn('operator')
    expect(token).toMatch(/^[A-Za-z0-9_-]{43}$/)
    expect(user).toMatchObject({
      username: 'operator',
      departmentName: 'Enterprise',
      parent: null,
      operating: null,
      time: test.clock.now().toISOString(),
    })
    expect((await refresh(token)).data).toMatchObject({ user })
  })

  it('leaves no token in the database, only its hash', async () => {
    const { token } = await test.signIn('operator')
    const { rows } = await sql<{ text: string }>`select row_to_json(s)::text as text from session s`.execute(test.db)
    expect(rows.some(({ text }) => text.includes(token))).toBe(false)
    const kept = await sql`select 1 from session where token_hash = ${hashToken(token)}`.execute(test.db)
    expect(kept.rows).toHaveLength(1)
  })

  it('ends with logout at once, together with every organisation entered from it', async () => {
    const { token } = await test.signIn('operator')
    const entered = (await test.call(loginSingle, { departmentId: at.branch }, { token })).data as unknown as SignedIn
    expect((await refresh(entered.token)).code).toBe(100000)
    expect((await test.call(logout, {}, { token: entered.token })).code).toBe(100000)
    expect((await refresh(entered.token)).code).toBe(100006)
    expect((await refresh(token)).code).toBe(100006)
  })

  it('tells missing, unknown and garbled tokens apart from one that is over', async () => {
    expect(await test.call(refreshSession, {})).toMatchObject({ status: 401, code: 100015 })
    for (const token of ['x', 'A'.repeat(43), 'é'.repeat(43), `${'A'.repeat(43)}, ${'A'.repeat(43)}`])
      expect(await test.call(refreshSession, {}, { headers: { sessionid: encodeURIComponent(token) } })).toMatchObject({
        status: 401,
        code: 100012,
      })
  })

  it('ends after half an hour without use, however old it is', async () => {
    const { token } = await test.signIn('operator')
    test.clock.advance(29 * 60)
    expect((await refresh(token)).code).toBe(100000)
    test.clock.advance(29 * 60)
    expect((await refresh(token)).code).toBe(100000)
    test.clock.advance(30 * 60)
    expect((await refresh(token)).code).toBe(100006)
  })

  it('ends twelve hours after signing in, however busy it is', async () => {
    const { token } = await test.signIn('operator')
    for (let minutes = 0; minutes < 12 * 60 - 20; minutes += 20) {
      test.clock.advance(20 * 60)
      expect((await refresh(token)).code).toBe(100000)
    }
    test.clock.advance(20 * 60)
    expect((await refresh(token)).code).toBe(100006)
  })
})

describe('entering one organisation', () => {
  it('is refused outside what one role reaches, and from an organisation already entered', async () => {
    const { token } = await test.signIn('operator')
    const enter = (departmentId: number, from = token) => test.call(loginSingle, { departmentId }, { token: from })
    expect(await enter(at.other)).toMatchObject({ status: 403, code: 100013 })
    expect(await enter(at.root)).toMatchObject({ code: 100013 })
    expect(await enter(999_999)).toMatchObject({ code: 100013 })
    const entered = (await enter(at.branch)).data as unknown as SignedIn
    expect(entered.user.operating).toMatchObject({
      departmentName: 'Branch',
      path: [{ name: 'Enterprise' }, { name: 'Branch' }],
    })
    expect(await enter(at.branch, entered.token)).toMatchObject({ code: 100013 })
  })

  it('cannot make a session last longer than the one it came from', async () => {
    const { token } = await test.signIn('operator')
    for (let minutes = 0; minutes < 11 * 60; minutes += 20) {
      test.clock.advance(20 * 60)
      await refresh(token)
    }
    const entered = (await test.call(loginSingle, { departmentId: at.branch }, { token })).data as unknown as SignedIn
    for (let minutes = 0; minutes < 60; minutes += 20) {
      expect((await refresh(entered.token)).code).toBe(100000)
      test.clock.advance(20 * 60)
    }
    expect((await refresh(entered.token)).code).toBe(100006)
  })

  it('keeps the session it came from alive', async () => {
    const { token } = await test.signIn('operator')
    const entered = (await test.call(loginSingle, { departmentId: at.branch }, { token })).data as unknown as SignedIn
    for (let minutes = 0; minutes < 80; minutes += 20) {
      test.clock.advance(20 * 60)
      await refresh(entered.token)
    }
    expect((await refresh(token)).code).toBe(100000)
  })
})

describe('the operation log', () => {
  it('names who signed in and out, and what a stranger called themselves, without any password', async () => {
    const { token } = await test.signIn('operator')
    await test.call(logout, {}, { token })
    await test.call(login, { username: 'nobody', password: 'Guess-horse-8' })
    const { rows } = await sql<{ type: string; username: string; result: string; code: number; line: string }>`
      select type, username, result, code, row_to_json(l)::text as line from op_log_now() l order by id desc limit 3`.execute(
      test.db,
    )
    expect(rows).toMatchObject([
      { type: 'signIn', username: 'nobody', result: 'failed', code: 21002 },
      { type: 'signOut', username: 'operator', result: 'success' },
      { type: 'signIn', username: 'operator', result: 'success' },
    ])
    for (const secret of [testPassword, 'Guess-horse-8', token]) expect(JSON.stringify(rows)).not.toContain(secret)
  })
})
