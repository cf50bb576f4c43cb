import { randomBytes } from 'node:crypto'
import {
  changePassword,
  loginSingle,
  logout,
  navigation,
  passwordWarningDays,
  profile,
  publicKey,
  refreshSession,
  type SignedIn,
  savedViews,
} from '@campanile/contract'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  addDepartment,
  addUser,
  sealedPassword,
  sealWith,
  startTestApp,
  type TestApp,
  testPassword,
} from '../../test/app.ts'

let test: TestApp
let root = 0
let people = 0
let name = ''

beforeAll(async () => {
  test = await startTestApp()
  root = await addDepartment(test.db, { name: 'Platform' })
})
afterAll(() => test.stop())
beforeEach(async () => {
  people += 1
  name = `person${people}`
  const departmentId = await addDepartment(test.db, { name, parentId: root, type: 1 })
  await addUser(test.db, { username: name, departmentId, type: 0 })
  await sql`delete from rate_limit`.execute(test.db)
})

const change = async (token: string, oldText: string, newText: string) =>
  test.call(
    changePassword,
    { oldPassword: await sealedPassword(test, oldText), newPassword: await sealedPassword(test, newText) },
    { token },
  )

describe('changing one’s password', () => {
  it('gives a new token and ends every other session at once', async () => {
    const here = await test.signIn(name)
    const there = await test.signIn(name)
    const entered = await test.call(loginSingle, { departmentId: here.user.departmentId }, { token: there.token })
    const { data } = await change(here.token, testPassword, 'New-horse-77')
    const fresh = data as unknown as SignedIn
    const codeOf = async (token: string) => (await test.call(refreshSession, {}, { token })).code
    expect(fresh.token).not.toBe(here.token)
    expect(await codeOf(fresh.token)).toBe(100000)
    for (const old of [here.token, there.token, (entered.data as unknown as SignedIn).token])
      expect(await codeOf(old)).toBe(100006)
    await expect(test.signIn(name)).rejects.toThrow('21002')
    expect((await test.signIn(name, 'New-horse-77')).user.passwordDaysLeft).toBe(90)
  })

  it('refuses the old one again and what breaks the rule, and names the field', async () => {
    const { token } = await test.signIn(name)
    expect(await change(token, testPassword, testPassword)).toMatchObject({
      code: 21007,
      data: { field: 'newPassword' },
    })
    expect(await change(token, testPassword, 'short1!')).toMatchObject({
      code: 21008,
      data: { field: 'newPassword', faults: ['tooShort'], min: 8, max: 64 },
    })
    expect((await change(token, testPassword, '        ')).code).toBe(21008)
  })

  it('follows the profile chosen in the settings', async () => {
    await sql`insert into system_config (key, value) values ('passwordProfile', '"short"')`.execute(test.db)
    test.clock.advance(2)
    const { token } = await test.signIn(name)
    expect((await change(token, testPassword, 'Quite-long-and-mixed-1')).code).toBe(21008)
    expect((await change(token, testPassword, 'Abc12.')).code).toBe(100000)
    await sql`delete from system_config`.execute(test.db)
    test.clock.advance(2)
  })

  it('counts a wrong old password on the same counter as the sign-in form', async () => {
    const { token } = await test.signIn(name)
    for (let n = 0; n < 4; n++) await change(token, 'Wrong-horse-7', 'New-horse-77')
    expect(await change(token, 'Wrong-horse-7', 'New-horse-77')).toMatchObject({ code: 21014 })
    await expect(test.signIn(name)).rejects.toThrow('21003')
  })

  it('takes both passwords under one nonce', async () => {
    const { token } = await test.signIn(name)
    const { data } = await test.call(publicKey, {})
    const { publicKey: key, nonce } = data as { publicKey: string; nonce: string }
    const body = {
      oldPassword: sealWith(key, { nonce, password: testPassword }),
      newPassword: sealWith(key, { nonce, password: 'New-horse-77' }),
    }
    const first = await test.call(changePassword, body, { token })
    expect(first.code).toBe(100000)
    const replayed = await test.call(changePassword, body, { token: (first.data as unknown as SignedIn).token })
    expect(replayed).toMatchObject({ status: 400, code: 21029 })
  })
})

describe('an encrypted password', () => {
  it('is refused with one answer, whatever is wrong with it', async () => {
    const { token } = await test.signIn(name)
    const { data } = await test.call(publicKey, {})
    const key = (data as { publicKey: string }).publicKey
    const good = await sealedPassword(test, testPassword)
    const bad = [
      'x',
      'AAAA',
      Buffer.alloc(256).toString('base64'),
      Buffer.alloc(256, 255).toString('base64'),
      sealWith(key, 'text'),
      sealWith(key, {}),
      sealWith(key, { nonce: 'x', password: testPassword }),
      sealWith(key, { nonce: 'A'.repeat(43), password: testPassword }),
      sealWith(key, { nonce: (data as { nonce: string }).nonce, password: testPassword, extra: 1 }),
      `${good.slice(0, -8)}AAAAAAA=`,
      ...Array.from({ length: 200 }, () => randomBytes(256).toString('base64')),
    ]
    const answers = []
    for (const cipher of bad)
      answers.push(await test.call(changePassword, { oldPassword: cipher, newPassword: cipher }, { token }))
    const [first] = answers
    expect(first).toMatchObject({ status: 400, code: 21029 })
    for (const answer of answers) expect(answer).toEqual(first)
  }, 180_000)

  it('is worth nothing after five minutes', async () => {
    const { token } = await test.signIn(name)
    const oldPassword = await sealedPassword(test, testPassword)
    const newPassword = await sealedPassword(test, 'New-horse-77')
    test.clock.advance(300)
    expect((await test.call(changePassword, { oldPassword, newPassword }, { token })).code).toBe(21029)
  })
})

describe('a password of ninety days', () => {
  it('leaves only what leads to a new one, and out', async () => {
    await sql`update sys_user set password_changed_at = ${new Date(test.clock.now().getTime() - 90 * 86_400_000)}
      where username = ${name}`.execute(test.db)
    const { token, user } = await test.signIn(name)
    expect(user).toMatchObject({ isExpired: true, passwordDaysLeft: 0 })
    expect(await test.call(savedViews, { resource: 'user' }, { token })).toMatchObject({
      status: 403,
      code: 21006,
      data: { days: 90 },
    })
    expect((await test.call(profile, {}, { token })).code).toBe(100000)
    expect((await test.call(refreshSession, {}, { token })).code).toBe(100000)
    expect((await test.call(navigation, {}, { token })).code).not.toBe(21006)
    const { data } = await change(token, testPassword, 'New-horse-77')
    const fresh = data as unknown as SignedIn
    expect(fresh.user.isExpired).toBe(false)
    expect((await test.call(savedViews, { resource: 'user' }, { token: fresh.token })).code).toBe(100000)
    expect((await test.call(logout, {}, { token: fresh.token })).code).toBe(100000)
  })

  it.each([30, 90])('is announced ten days ahead where %i days are allowed', async (allowed) => {
    await sql`insert into system_config (key, value) values ('passwordMaxAgeDays', ${JSON.stringify(allowed)}::jsonb)`.execute(
      test.db,
    )
    test.clock.advance(2)
    const daysLeftAt = async (age: number) => {
      const changedAt = new Date(test.clock.now().getTime() - age * 86_400_000)
      await sql`update sys_user set password_changed_at = ${changedAt} where username = ${name}`.execute(test.db)
      return (await test.signIn(name)).user.passwordDaysLeft
    }
    expect(await daysLeftAt(allowed - 11)).toBe(passwordWarningDays + 1)
    expect(await daysLeftAt(allowed - 10)).toBe(passwordWarningDays)
    expect(await daysLeftAt(allowed - 1)).toBe(1)
    expect(await daysLeftAt(allowed + 5)).toBe(0)
    await sql`delete from system_config`.execute(test.db)
    test.clock.advance(2)
  })

  it('of eighty-nine days leaves everything', async () => {
    await sql`update sys_user set password_changed_at = ${new Date(test.clock.now().getTime() - 90 * 86_400_000 + 1000)}
      where username = ${name}`.execute(test.db)
    const { token, user } = await test.signIn(name)
    expect(user).toMatchObject({ isExpired: false, passwordDaysLeft: 1 })
    expect((await test.call(savedViews, { resource: 'user' }, { token })).code).toBe(100000)
  })
})
