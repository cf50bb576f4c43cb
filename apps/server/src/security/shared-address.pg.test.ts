import {
  activate,
  captcha,
  createCodes,
  getAuthInfo,
  login,
  loginWith2Fa,
  loginWithSms,
  publicKey,
  startScanLogin,
} from '@campanile/contract'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import * as drawing from '../domains/identity/captcha.drawing.ts'
import { addDepartment, addRole, addUser, startTestApp, type TestApp, testPassword } from '../test/app.ts'

/** What everybody behind one router of a school looks like from outside. */
const school = '203.0.113.50'
const mobile = '13800138000'

let test: TestApp
beforeAll(async () => {
  test = await startTestApp()
  const { db } = test
  const root = await addDepartment(db, { name: 'Platform' })
  const permissions = ['activation:code:add', 'activation:code:qr']
  const roleIds = [await addRole(db, { departmentId: root, permissions })]
  const rootUser = await addUser(db, { username: 'root', departmentId: root, type: 0 })
  await addUser(db, { username: 'teacher', departmentId: root, roleIds })
  await addUser(db, { username: 'newcomer', departmentId: root, roleIds })
  await test.settings.save(
    db,
    {
      smsWebhook: 'https://sms.example/send',
      trustedIssuer: 'https://portal.example',
      trustedIssuerKey: 'a shared secret of more than 32 characters',
      trustedIssuerDepartmentId: root,
    },
    rootUser,
  )
  await sql`update sys_user set mobile = ${mobile}, confirmed_mobile = ${mobile} where username = 'teacher'`.execute(db)
  test.clock.advance(2)
})
afterAll(() => test.stop())
beforeEach(async () => {
  await sql`delete from rate_limit`.execute(test.db)
  await sql`delete from sign_in_network`.execute(test.db)
  await sql`update sys_user set failed_count = 0, locked_until = null`.execute(test.db)
})

const signIn = (username: string, password = testPassword, ip = school, proof = {}) =>
  test.call(login, { username, password, ...proof }, { ip })
const wrongPasswords = async (times: number) => {
  const codes = []
  for (let n = 0; n < times; n++) codes.push((await signIn(`nobody${n}`, 'Wrong-horse-7')).code)
  return codes
}
/** As many wrong passwords as a flood would leave behind, without the hashes they cost. */
const afterWrongPasswords = (times: number) =>
  sql`insert into rate_limit (name, key, window_end, hits) values ('wrongPassword', ${school},
    ${new Date(test.clock.now().getTime() + 600_000)}, ${times})`.execute(test.db)
const picture = async () => {
  const answers = vi.spyOn(drawing, 'drawCaptcha')
  const { data } = await test.call(captcha, {}, { ip: school })
  const code = answers.mock.calls.at(-1)?.[0]
  answers.mockRestore()
  return { enabled: data.enabled, uuid: String(data.uuid), code: String(code) }
}

describe('a stranger behind the same address as a school', () => {
  it('keeps nobody from signing in by made-up tickets, tokens and message codes', async () => {
    for (let n = 0; n < 70; n++) await test.call(loginWith2Fa, { ticket: `x${n}`, code: '123456' }, { ip: school })
    for (let n = 0; n < 70; n++) await test.call(getAuthInfo, { token: `a.b.${n}` }, { ip: school })
    for (let n = 0; n < 70; n++)
      await test.call(loginWithSms, { mobile: `139${10_000_000 + n}`, code: '123456' }, { ip: school })
    expect((await signIn('teacher')).code).toBe(100000)
    expect((await signIn('newcomer')).code).toBe(100000)
  })

  it('is stopped for a minute where made-up tickets are all it brings, and a real ticket is not', async () => {
    const codes = []
    for (let n = 0; n < 62; n++)
      codes.push((await test.call(loginWith2Fa, { ticket: `x${n}`, code: '123456' }, { ip: school })).code)
    expect(codes.slice(59)).toEqual([21016, 100020, 100020])
    test.clock.advance(61)
    expect((await test.call(loginWith2Fa, { ticket: 'x', code: '123456' }, { ip: school })).code).toBe(21016)
  })

  it('makes others show that they are people, and those who were here before not even that', async () => {
    expect((await signIn('teacher')).code).toBe(100000)
    expect((await picture()).enabled).toBe(false)
    expect(await wrongPasswords(52)).toEqual([...Array(50).fill(21002), 21028, 21028])
    expect((await signIn('teacher')).code).toBe(100000)
    const asked = await signIn('newcomer')
    expect(asked).toMatchObject({ status: 400, code: 21028 })
    expect(asked.message).toMatch(/wrong passwords/)
    const { enabled, uuid, code } = await picture()
    expect(enabled).toBe(true)
    expect((await signIn('newcomer', testPassword, school, { uuid, code: '????' })).code).toBe(21001)
    expect((await signIn('newcomer', testPassword, school, { uuid, code })).code).toBe(21001)
    const second = await picture()
    expect((await signIn('newcomer', testPassword, school, { uuid: second.uuid, code: second.code })).code).toBe(100000)
    expect((await signIn('newcomer', testPassword, '198.51.100.4')).code).toBe(100000)
  }, 240_000)

  it('does not learn from the answers who has an account here', async () => {
    await signIn('teacher')
    await afterWrongPasswords(50)
    const of = async (name: string) => signIn(name, 'Wrong-horse-7')
    const answers = [await of('teacher'), await of('newcomer'), await of('nobody')]
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
  })

  it('holds up newcomers only, with whole pictures read, and says for how long', async () => {
    await signIn('teacher')
    await afterWrongPasswords(500)
    const { uuid, code } = await picture()
    const refused = await signIn('newcomer', testPassword, school, { uuid, code })
    expect(refused).toMatchObject({ status: 429, code: 21027, data: { retryAfter: 600 } })
    expect(refused.message).toMatch(/10 min/)
    expect((await signIn('teacher')).code).toBe(100000)
    test.clock.advance(601)
    expect((await signIn('newcomer')).code).toBe(100000)
  })

  it('does not keep a school of five hundred from its sign-in page', async () => {
    for (const endpoint of [captcha, publicKey, startScanLogin])
      for (let n = 0; n < 600; n++) expect((await test.call(endpoint, {}, { ip: school })).code).toBe(100000)
  }, 240_000)

  it('keeps no device from joining by guessing at serial numbers that nobody has', async () => {
    const { token } = await test.signIn('teacher')
    const { data } = await test.call(createCodes, { codes: 'SCHOOL-1' }, { token })
    const [made] = data.codes as { activationCode: string }[]
    const codes = []
    for (let n = 0; n < 102; n++)
      codes.push((await test.call(activate, { sn: `MADE-UP-${n}`, code: 'wrong-code-1' }, { ip: school })).code)
    expect(codes.slice(99)).toEqual([204033, 100020, 100020])
    const joined = await test.call(activate, { sn: 'SCHOOL-1', code: made?.activationCode ?? '' }, { ip: school })
    expect(joined.code).toBe(100000)
  })
})

describe('a stranger who knows a telephone number', () => {
  it('locks nobody out by codes that were never asked for', async () => {
    for (let n = 0; n < 12; n++)
      await test.call(loginWithSms, { mobile, code: String(100_000 + n) }, { ip: `198.51.100.${n + 1}` })
    expect((await signIn('teacher')).code).toBe(100000)
  })
})

describe('the owner of a locked account', () => {
  it('is told of the lock by the right password, however much others have tried', async () => {
    for (let n = 0; n < 10; n++) await signIn('teacher', 'Wrong-horse-7', `198.51.100.${n + 1}`)
    for (let n = 0; n < 4; n++) expect(await signIn('teacher')).toMatchObject({ code: 21003, data: { minutes: 30 } })
  })

  it('is told so where they have signed in before, when others have used up what is told elsewhere', async () => {
    await signIn('teacher')
    for (let n = 0; n < 40; n++) await signIn('teacher', 'Wrong-horse-7', `198.51.100.${n + 1}`)
    expect((await signIn('teacher')).code).toBe(21003)
    expect((await signIn('teacher', testPassword, '192.0.2.1')).code).toBe(21002)
  }, 240_000)
})
