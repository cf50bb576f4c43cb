import {
  disableTwoFactor,
  enableTwoFactor,
  login,
  loginWith2Fa,
  profile,
  refreshSession,
  renewRecoveryCodes,
  startTwoFactor,
} from '@campanile/contract'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { addDepartment, addUser, sealedPassword, startTestApp, type TestApp, testPassword } from '../../test/app.ts'
import { askForSecondStep, authenticatorFor, decodeBase32, enrolInTwoFactor } from '../../test/two-factor.ts'

let test: TestApp
let root = 0
let people = 0
let name = ''

beforeAll(async () => {
  test = await startTestApp()
  root = await addDepartment(test.db, { name: 'Platform' })
  await addUser(test.db, { username: 'root', departmentId: root, type: 0 })
})
afterAll(() => test.stop())
beforeEach(async () => {
  people += 1
  name = `person${people}`
  const departmentId = await addDepartment(test.db, { name, parentId: root, type: 1 })
  await addUser(test.db, { username: name, departmentId, type: 0 })
  await sql`delete from rate_limit`.execute(test.db)
})

const start = async (token: string, password = testPassword) =>
  test.call(startTwoFactor, { password: await sealedPassword(test, password) }, { token })

const enrol = () => enrolInTwoFactor(test, name)
const pending = () => askForSecondStep(test, name)
const second = (ticket: string, code: string) => test.call(loginWith2Fa, { ticket, code })

describe('a second factor that an administrator asks for', () => {
  const ask = async (username = name) => {
    const { token } = await test.signIn('root')
    const { rows } = await sql<{ id: number }>`select id from sys_user where username = ${username}`.execute(test.db)
    return test.request('POST', '/api/v1/oauth/users/requireTwoFactor', { id: rows[0]?.id }, { token })
  }

  it('is set up by its owner at the next sign-in, and nobody else is told the secret', async () => {
    const before = await test.signIn(name)
    const asked = await ask()
    expect(asked).toMatchObject({ code: 100000, data: {} })
    expect((await test.call(refreshSession, {}, { token: before.token })).code).toBe(100006)
    const { ticket, setup } = await pending()
    expect(setup?.uri).toContain(`secret=${setup?.secret}`)
    expect((await second(ticket, '000000')).code).toBe(21015)
    const { data } = await second(ticket, authenticatorFor(test, setup?.secret ?? '')())
    expect(data).toMatchObject({ token: expect.any(String), user: { enable2fa: true } })
    expect(data.recoveryCodes).toHaveLength(10)
    test.clock.advance(60)
    const later = await pending()
    expect(later.setup).toBeUndefined()
    const again = await second(later.ticket, authenticatorFor(test, setup?.secret ?? '')())
    expect(again.code).toBe(100000)
    expect(again.data.recoveryCodes).toBeUndefined()
    expect((await ask()).code).toBe(21020)
    const { rows } = await sql<{ text: string }>`select row_to_json(l)::text as text from op_log l`.execute(test.db)
    expect(rows.filter(({ text }) => text.includes(setup?.secret ?? '-'))).toEqual([])
  })

  it('is offered anew at each sign-in until a code proves it, and the older offer counts for nothing', async () => {
    await ask()
    const first = await pending()
    const next = await pending()
    expect(next.setup?.secret).not.toBe(first.setup?.secret)
    expect((await second(first.ticket, authenticatorFor(test, first.setup?.secret ?? '')())).code).toBe(21015)
    expect((await second(next.ticket, authenticatorFor(test, next.setup?.secret ?? '')())).code).toBe(100000)
  })

  it('is never asked of the top-level super administrator', async () => {
    expect((await ask('root')).code).toBe(21018)
  })
})

describe('enrolment', () => {
  it('shows the secret once, proves it with a code and hands out ten recovery codes', async () => {
    const { token } = await test.signIn(name)
    const other = await test.signIn(name)
    const started = await start(token)
    const { secret, uri } = started.data as { secret: string; uri: string }
    expect(uri).toBe(
      `otpauth://totp/Campanile:${name}?secret=${secret}&issuer=Campanile&algorithm=SHA1&digits=6&period=30`,
    )
    expect((await test.call(login, { username: name, password: testPassword })).data.enable2fa).toBeUndefined()
    expect((await test.call(enableTwoFactor, { code: '000000' }, { token })).code).toBe(21015)
    const { data } = await test.call(enableTwoFactor, { code: authenticatorFor(test, secret)() }, { token })
    expect(data.recoveryCodes).toHaveLength(10)
    expect((await test.call(profile, {}, { token })).data).toMatchObject({ enable2fa: true, recoveryCodesLeft: 10 })
    expect((await test.call(refreshSession, {}, { token: other.token })).code).toBe(100006)
    const { rows } = await sql<{
      row: string
    }>`select row_to_json(u)::text as row from sys_user u where username = ${name}`.execute(test.db)
    expect(rows[0]?.row).not.toContain(secret)
    expect(rows[0]?.row).not.toContain(decodeBase32(secret).toString('base64'))
  })

  it('needs the current password', async () => {
    const { token } = await test.signIn(name)
    expect((await start(token, 'Wrong-horse-7')).code).toBe(21002)
  })

  it('is refused to the super administrator and to whoever has it', async () => {
    const { token } = await test.signIn('root')
    expect(await start(token)).toMatchObject({ status: 403, code: 21018 })
    const enrolled = await enrol()
    expect(await start(enrolled.token)).toMatchObject({ status: 409, code: 21020 })
    expect((await test.call(enableTwoFactor, { code: enrolled.code() }, { token: enrolled.token })).code).toBe(21020)
  })
})

describe('the second step', () => {
  it('follows the right password and gives the token; the ticket opens nothing else', async () => {
    const { code } = await enrol()
    const { ticket, loginInfo, enable2fa } = await pending()
    expect(enable2fa).toBe(true)
    expect(loginInfo).toMatchObject({ username: name, enable2fa: true })
    expect((await test.call(refreshSession, {}, { token: ticket })).code).toBe(100012)
    const done = await second(ticket, code())
    expect((await test.call(refreshSession, {}, { token: done.data.token as string })).code).toBe(100000)
    expect((await second(ticket, code(1))).code).toBe(21016)
  })

  it('takes each code once, however it is spelt and however many send it at once', async () => {
    const { code } = await enrol()
    const tickets = await Promise.all(Array.from({ length: 50 }, pending))
    const right = code()
    const codes = (await Promise.all(tickets.map(({ ticket }) => second(ticket, right)))).map((answer) => answer.code)
    expect(codes.filter((code) => code === 100000)).toHaveLength(1)
    for (const text of [
      right,
      ` ${right}`,
      `${right.slice(0, 3)} ${right.slice(3)}`,
      `0${right}`,
      right.replace(/\d/g, (digit) => String.fromCharCode(0xff10 + Number(digit))),
      code(-1),
    ]) {
      await sql`update sys_user set failed_count = 0, locked_until = null`.execute(test.db)
      await sql`delete from rate_limit`.execute(test.db)
      expect((await second((await pending()).ticket, text)).code).toBe(21015)
    }
    test.clock.advance(30)
    expect((await second((await pending()).ticket, code())).code).toBe(100000)
  })

  it('ends after five minutes', async () => {
    const { code } = await enrol()
    const late = await pending()
    test.clock.advance(300)
    expect((await second(late.ticket, code())).code).toBe(21016)
  })

  it('takes a recovery code instead, once', async () => {
    const { recoveryCodes } = await enrol()
    const [first = ''] = recoveryCodes
    expect((await second((await pending()).ticket, first)).code).toBe(100000)
    expect((await second((await pending()).ticket, first)).code).toBe(21015)
    const { rows } = await sql<{ hash: string }>`select code_hash as hash from recovery_code`.execute(test.db)
    expect(rows.some(({ hash }) => recoveryCodes.includes(hash))).toBe(false)
  })
})

describe('afterwards', () => {
  it('new recovery codes replace the old ones', async () => {
    const { token, code, recoveryCodes } = await enrol()
    const renewed = await test.call(renewRecoveryCodes, { code: code() }, { token })
    expect(renewed.data.recoveryCodes).toHaveLength(10)
    expect((await second((await pending()).ticket, recoveryCodes[0] ?? '')).code).toBe(21015)
  })

  it('is switched off with password and code only', async () => {
    const { token, code } = await enrol()
    const stop = async (password: string, text: string) =>
      test.call(disableTwoFactor, { password: await sealedPassword(test, password), code: text }, { token })
    expect((await stop('Wrong-horse-7', code())).code).toBe(21002)
    expect((await stop(testPassword, '000000')).code).toBe(21015)
    expect((await stop(testPassword, code())).code).toBe(100000)
    expect((await test.call(login, { username: name, password: testPassword })).data.token).toBeDefined()
  })
})
