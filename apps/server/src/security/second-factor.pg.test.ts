import {
  disableTwoFactor,
  login,
  loginWith2Fa,
  notifications,
  refreshSession,
  renewRecoveryCodes,
  user,
} from '@campanile/contract'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  addDepartment,
  addUser,
  newsTold,
  sealedPassword,
  startTestApp,
  type TestApp,
  testPassword,
} from '../test/app.ts'
import { askForSecondStep, enrolInTwoFactor } from '../test/two-factor.ts'

let test: TestApp
let root = 0
let people = 0
let name = ''
let addresses = 0

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

const elsewhere = () => {
  addresses += 1
  return `198.51.${Math.floor(addresses / 250)}.${(addresses % 250) + 1}`
}
const password = (ip = elsewhere()) => test.call(login, { username: name, password: testPassword }, { ip })
const ticketFrom = async (ip = elsewhere()) => (await askForSecondStep(test, name, { ip })).ticket
const second = (ticket: string, code: string, ip = elsewhere()) => test.call(loginWith2Fa, { ticket, code }, { ip })
const unlock = async () => {
  const { token } = await test.signIn('root')
  const { rows } = await sql<{ id: number }>`select id from sys_user where username = ${name}`.execute(test.db)
  await test.request('POST', `${user.wire.path}/unlock`, { id: rows[0]?.id }, { token })
}

describe('guessing the second factor', () => {
  it('locks the account at the fifth wrong code, with a new ticket and a new address for each', async () => {
    const { code, recoveryCodes } = await enrolInTwoFactor(test, name)
    const spare = await Promise.all(Array.from({ length: 4 }, () => ticketFrom()))
    const told = []
    for (let n = 0; n < 5; n++) {
      const { code: answer, data } = await second(await ticketFrom(), '000000')
      told.push([answer, data.remaining])
    }
    expect(told).toEqual([
      [21015, undefined],
      [21015, undefined],
      [21015, 2],
      [21015, 1],
      [21014, undefined],
    ])
    // Neither the right code, nor a recovery code, nor a ticket of before, nor the right password leads in.
    expect((await second(spare[0] ?? '', code())).code).toBe(21003)
    expect((await second(spare[1] ?? '', recoveryCodes[0] ?? '')).code).toBe(21003)
    expect(await password()).toMatchObject({ code: 21003, data: { minutes: 30 } })
    // What was refused while locked was not spent either.
    test.clock.advance(30 * 60)
    expect((await second(await ticketFrom(), recoveryCodes[0] ?? '')).code).toBe(100000)
  })

  it('is no more than five guesses however many come at once', async () => {
    await enrolInTwoFactor(test, name)
    const tickets = await Promise.all(Array.from({ length: 40 }, () => ticketFrom()))
    const answers = await Promise.all(
      tickets.flatMap((ticket) => ['000000', '111111'].map((guess) => second(ticket, guess))),
    )
    const codes = answers.map(({ code }) => code)
    expect(codes.filter((code) => code === 21015)).toHaveLength(4)
    expect(codes.filter((code) => code === 21014)).toHaveLength(1)
    expect(codes.filter((code) => code === 21003)).toHaveLength(75)
  })

  it('counts recovery codes like the six digits', async () => {
    await enrolInTwoFactor(test, name)
    const codes = []
    for (let n = 0; n < 5; n++) codes.push((await second(await ticketFrom(), 'aaaa-bbbb-cccc-dddd')).code)
    expect(codes).toEqual([21015, 21015, 21015, 21015, 21014])
  })

  it('is not forgiven by a right password, however often it comes', async () => {
    await enrolInTwoFactor(test, name)
    for (let n = 0; n < 4; n++) {
      await second(await ticketFrom(), '000000')
      for (let more = 0; more < 3; more++) await password()
    }
    expect((await second(await ticketFrom(), '000000')).code).toBe(21014)
  })

  it('is not forgiven by the password on the pages of somebody who is signed in', async () => {
    const { token } = await enrolInTwoFactor(test, name)
    const guess = async () =>
      test.call(disableTwoFactor, { password: await sealedPassword(test, testPassword), code: '000000' }, { token })
    const codes = []
    for (let n = 0; n < 6; n++) codes.push((await guess()).code)
    expect(codes).toEqual([21015, 21015, 21015, 21015, 21014, 21003])
    expect((await test.call(renewRecoveryCodes, { code: '000000' }, { token })).code).toBe(21003)
  })

  it('locks for longer each time, until somebody signs in', async () => {
    const { code } = await enrolInTwoFactor(test, name)
    const guessFive = async () => {
      let last = await second(await ticketFrom(), '000000')
      for (let n = 0; n < 4; n++) last = await second(await ticketFrom(), '000000')
      return last
    }
    for (const minutes of [30, 60, 120, 240, 480, 960, 1440, 1440]) {
      expect(await guessFive()).toMatchObject({ code: 21014, data: { minutes } })
      test.clock.advance(minutes * 60 - 1)
      expect((await password()).code).toBe(21003)
      test.clock.advance(1)
    }
    expect((await second(await ticketFrom(), code())).code).toBe(100000)
    test.clock.advance(60)
    expect(await guessFive()).toMatchObject({ code: 21014, data: { minutes: 30 } })
  })

  it('is not open to somebody who knows the name alone', async () => {
    await enrolInTwoFactor(test, name)
    for (let n = 0; n < 20; n++) expect((await second('A'.repeat(43), '000000')).code).toBe(21016)
    expect((await password()).code).toBe(100000)
  })

  it('is slowed down for an address, whatever tickets it brings', async () => {
    const codes = []
    for (let n = 0; n < 62; n++) codes.push((await second(`${'A'.repeat(41)}${n + 10}`, '000000', '203.0.113.5')).code)
    expect(codes.slice(60)).toEqual([100020, 100020])
  })

  it('is told to the owner: at once where they are signed in, and when they sign in', async () => {
    const { token, code } = await enrolInTwoFactor(test, name)
    for (let n = 0; n < 5; n++) await second(await ticketFrom(), '000000', '203.0.113.9')
    const read = async (as: string) => {
      await newsTold(test.db)
      return (await test.call(notifications, { type: 'alert' }, { token: as })).data.rows as { text: string }[]
    }
    expect((await read(token))[0]?.text).toMatch(/5 wrong codes .*203\.0\.113\.9.*30 min/)
    await unlock()
    // A slip of their own on the way in is no news to them.
    const own = await ticketFrom()
    expect((await second(own, '000000')).code).toBe(21015)
    const done = await second(own, code())
    expect((await read(String(done.data.token)))[0]?.text).toMatch(/^5 wrong codes .*UTC from/)
    test.clock.advance(60)
    const clean = await ticketFrom()
    await second(clean, '000000')
    const again = await second(clean, code())
    expect((await test.call(refreshSession, {}, { token: String(again.data.token) })).code).toBe(100000)
    expect(await read(String(again.data.token))).toHaveLength(2)
  })
})
