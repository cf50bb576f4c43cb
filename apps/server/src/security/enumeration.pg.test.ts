import { login, loginWithSms, sendSmsCode } from '@campanile/contract'
import * as argon2 from '@node-rs/argon2'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { type Answer, testPassword } from '../test/app.ts'
import { startWorld, type World } from '../test/world.ts'

// Counted, not replaced: how much work an answer costs is what an attacker could measure.
vi.mock('@node-rs/argon2', async (original) => {
  const real = await original<typeof argon2>()
  return { ...real, verify: vi.fn(real.verify) }
})

let world: World
beforeAll(async () => {
  world = await startWorld()
  const webhook = 'https://sms.example/send'
  await world.settings.save(world.db, { smsWebhook: webhook }, world.a.admin)
  world.clock.advance(2)
  await sql`update sys_user set mobile = ${known.mobile}, confirmed_mobile = ${known.mobile}
    where username = ${known.name}`.execute(world.db)
})
afterAll(() => world.stop())
beforeEach(async () => {
  await sql`delete from rate_limit`.execute(world.db)
  await sql`update sys_user set failed_count = 0, locked_until = null`.execute(world.db)
})

const known = { name: 'alder.operator', mobile: '13800138000' }
const unknown = { name: 'alder.nobody', mobile: '13900139000' }
const ip = '198.51.100.7'
const guess = (username: string, from = ip) => world.call(login, { username, password: 'Wrong-horse-7' }, { ip: from })
const guessCode = (mobile: string) => world.call(loginWithSms, { mobile, code: '000000' }, { ip })
const words = ({ status, code, message, data }: Answer) => JSON.stringify({ status, code, message, data })

/** How often each answer came, and how many hashes were computed for all of them. */
const measure = async (ask: () => Promise<Answer[]>) => {
  const verify = vi.mocked(argon2.verify)
  verify.mockClear()
  const counts: Record<string, number> = {}
  for (const answer of await ask()) counts[words(answer)] = (counts[words(answer)] ?? 0) + 1
  return { counts, hashes: verify.mock.calls.length }
}
const inSequence = (times: number, ask: () => Promise<Answer>) => async () => {
  const answers: Answer[] = []
  for (let n = 0; n < times; n++) answers.push(await ask())
  return answers
}
const atOnce = (times: number, ask: () => Promise<Answer>) => () => Promise.all(Array.from({ length: times }, ask))

// The same work is done the first time as ever after.
beforeAll(async () => void (await guess('warm up')))

describe('a name that exists and one that does not', () => {
  it.each([
    ['in sequence', inSequence],
    ['at once', atOnce],
  ])('get the same answers, as often, for the same work: %s', async (_, many) => {
    const real = await measure(many(20, () => guess(known.name)))
    expect(await measure(many(20, () => guess(unknown.name)))).toEqual(real)
    expect(real.hashes).toBe(20)
  })

  it('wait in the same queue: guesses at either are judged one after another', async () => {
    const running = { now: 0, most: 0 }
    const verify = vi.mocked(argon2.verify)
    const real = verify.getMockImplementation()
    const observe = async (name: string) => {
      running.most = 0
      verify.mockImplementation(async (...args) => {
        running.now += 1
        running.most = Math.max(running.most, running.now)
        try {
          return await (real as typeof argon2.verify)(...args)
        } finally {
          running.now -= 1
        }
      })
      await Promise.all(Array.from({ length: 12 }, () => guess(name)))
      return running.most
    }
    const most = [await observe(known.name), await observe(unknown.name)]
    verify.mockImplementation(real as typeof argon2.verify)
    expect(most).toEqual([1, 1])
  }, 240_000)

  it('are told apart by no figure, whatever happened to the account before', async () => {
    const three = (name: string) => measure(inSequence(3, () => guess(name)))
    const nothingKnown = await three(unknown.name)
    // Its owner mistyped twice; it is locked; its owner has just signed in.
    for (const prepare of [
      () => inSequence(2, () => guess(known.name, '203.0.113.1'))(),
      () => sql`update sys_user set locked_until = '2999-01-01' where username = ${known.name}`.execute(world.db),
      () => world.signIn(known.name, testPassword, { ip: '203.0.113.1' }),
    ]) {
      await sql`delete from rate_limit`.execute(world.db)
      await sql`update sys_user set failed_count = 0, locked_until = null`.execute(world.db)
      await prepare()
      expect(await three(known.name)).toEqual(nothingKnown)
    }
  })

  it('are not told apart when the owner signs in between two guesses', async () => {
    const told = async (name: string) => {
      const before = await inSequence(4, () => guess(name))()
      if (name === known.name) await world.signIn(name, testPassword, { ip: '203.0.113.1' })
      return [...before, await guess(name)].map(words)
    }
    expect(await told(known.name)).toEqual(await told(unknown.name))
  })

  it.each([5, 10, 29, 31, 45, 61])('are forgotten after the same time: %i minutes', async (minutes) => {
    const told = async (name: string) => {
      const before = await inSequence(4, () => guess(name))()
      world.clock.advance(minutes * 60)
      return [...before, ...(await inSequence(3, () => guess(name))())].map(words)
    }
    expect(await told(known.name)).toEqual(await told(unknown.name))
  })
})

describe('a number that signs somebody in and one that does not', () => {
  it.each([
    ['in sequence', inSequence],
    ['at once', atOnce],
  ])('get the same answers, as often, for the same work: %s', async (_, many) => {
    const real = await measure(many(12, () => guessCode(known.mobile)))
    expect(await measure(many(12, () => guessCode(unknown.mobile)))).toEqual(real)
    expect(real.hashes).toBe(12)
  })

  it.each([
    ['in sequence', inSequence],
    ['at once', atOnce],
  ])('are sent a code with the same words: %s', async (_, many) => {
    const send = (mobile: string) => world.call(sendSmsCode, { mobile }, { ip })
    const real = await measure(many(4, () => send(known.mobile)))
    expect(await measure(many(4, () => send(unknown.mobile)))).toEqual(real)
  })

  it('does not say whose it is: guesses at the number and at the name are told apart', async () => {
    await inSequence(2, () => guess(known.name))()
    const afterName = words(await guessCode(known.mobile))
    await inSequence(2, () => guess(known.name))()
    expect(words(await guessCode(unknown.mobile))).toBe(afterName)
  })
})
