import { activate, createCodes, type RefusedConnection, refusedConnections } from '@campanile/contract'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { addDepartment, addRole, addUser, startTestApp, type TestApp } from '../../test/app.ts'
import { addDevices } from '../../test/devices.ts'
import { eventually } from '../../test/mqtt.ts'

let server: TestApp
let token: string
let root: number
type Seen = () => Promise<{ strangers: boolean; rows: RefusedConnection[] }>

beforeAll(async () => {
  server = await startTestApp()
  const id = await addDepartment(server.db, { name: 'Root' })
  root = id
  const role = await addRole(server.db, {
    departmentId: id,
    permissions: ['activation:code:add', 'activation:code:qr'],
  })
  await addUser(server.db, { username: 'maker', departmentId: id, roleIds: [role] })
})
afterAll(() => server.stop())
beforeEach(async () => {
  await sql`delete from rate_limit`.execute(server.db)
  token = (await server.signIn('maker')).token
})

let made = 0
/** A device with a code of its own. */
const device = async (code?: string) => {
  made += 1
  const sn = `GUESS-${made}`
  const answer = await server.call(createCodes, { codes: code ? `${sn};${code};;` : sn }, { token })
  expect(answer).toMatchObject({ code: 100000 })
  return { sn, code: (answer.data as { codes: { activationCode: string }[] }).codes[0]?.activationCode ?? '' }
}
const use = (sn: string, code: string, ip = '203.0.113.1') => server.call(activate, { sn, code }, { ip })
/** Each from a network of its own. */
const guess = async (sn: string, times: number) => {
  const answers = []
  for (let at = 0; at < times; at++) answers.push(await use(sn, `wrong-${at}-code`, `198.51.100.${at + 1}`))
  return answers.map(({ code }) => code)
}

describe('a wrong code', () => {
  it('is counted for those who made a code for its serial number, and never shown', async () => {
    const north = await addDepartment(server.db, { name: 'North', parentId: root, type: 0 })
    const south = await addDepartment(server.db, { name: 'South', parentId: root, type: 0 })
    const readers = await Promise.all(
      [root, north, south].map(async (departmentId) => {
        const role = await addRole(server.db, { departmentId, permissions: ['device:list:list'] })
        const username = `reader${departmentId}`
        await addUser(server.db, { username, departmentId, roleIds: [role] })
        return (await server.signIn(username)).token
      }),
    )
    const made = await server.call(createCodes, { codes: 'MISTYPED-1', departmentId: north }, { token })
    expect(made).toMatchObject({ code: 100000 })
    await use('MISTYPED-1', 'first-wrong-code')
    await use('MISTYPED-1', 'second-wrong-code')
    await use('NOBODYS-1', 'third-wrong-code')
    const seen = (reader: string) => async () => (await server.call(refusedConnections, {}, { token: reader })).data
    const [everybody, theirs, others] = readers.map(seen) as [Seen, Seen, Seen]
    const mistyped = { sn: 'MISTYPED-1', reason: 'wrongCode', count: 2, address: '203.0.113.1' }
    await eventually(everybody, ({ rows }) => rows.length === 2)
    expect(await everybody()).toMatchObject({
      strangers: true,
      rows: expect.arrayContaining([expect.objectContaining(mistyped)]),
    })
    expect(await theirs()).toMatchObject({ strangers: false, rows: [mistyped] })
    expect(await others()).toMatchObject({ strangers: false, rows: [] })
    expect(JSON.stringify(await everybody())).not.toContain('wrong-code')
  })

  it('that was used before, or is tried too often, says so', async () => {
    const { sn, code } = await device()
    await use(sn, code)
    await use(sn, code)
    const other = await device()
    for (let at = 0; at < 6; at++) await use(other.sn, `wrong-${at}-code`)
    const reasons = async () =>
      (await sql<{ sn: string; reason: string }>`select sn, reason from refused_connection`.execute(server.db)).rows
    await eventually(reasons, (rows) => rows.some(({ reason }) => reason === 'activationLocked'))
    expect(await reasons()).toEqual(
      expect.arrayContaining([
        { sn, reason: 'codeUsed' },
        { sn: other.sn, reason: 'wrongCode' },
        { sn: other.sn, reason: 'activationLocked' },
      ]),
    )
  })
})

describe('a code that is guessed', () => {
  it('is made of at least twelve characters that nobody mistakes', async () => {
    const { code } = await device()
    expect(code).toMatch(/^[2-9A-HJ-NP-Z]{12,}$/)
  })

  it.each([
    ['abcd', 204030],
    ['1234567', 204030],
    ['00000000', 204048],
    ['abcabcabc', 204048],
    ['changeme', 204048],
    ['12345678', 204048],
    ['87654321', 204048],
    ['Qwertyui', 204048],
    ['aaaaaaab', 204048],
    ['short-01', 204048],
    ['7QK2-M9X4', 100000],
  ])('is not entered as %s: %i', async (code, answer) => {
    expect(await server.call(createCodes, { codes: `SHORT-01;${code};;` }, { token })).toMatchObject({ code: answer })
  })

  it('locks its serial number, from whichever addresses the guesses come', async () => {
    const { sn, code } = await device()
    const answers = await guess(sn, 25)
    expect(answers.slice(0, 20).every((each) => each === 204033)).toBe(true)
    expect(answers.slice(20)).toEqual([204036, 204036, 204036, 204036, 204036])
    expect(await use(sn, code)).toMatchObject({ status: 429, code: 204036 })
  })

  it('is not found by as many guesses at once', async () => {
    const { sn } = await device()
    const codes = await Promise.all(
      Array.from({ length: 60 }, (_, at) => use(sn, `wrong-${at}`, `198.51.100.${at + 1}`).then(({ code }) => code)),
    )
    expect(codes.filter((code) => code === 204033)).toHaveLength(20)
    expect(codes.filter((code) => code === 204036)).toHaveLength(40)
  })

  it('still lets its device in while a stranger guesses from one place', async () => {
    const { sn, code } = await device()
    const answers = []
    for (let at = 0; at < 30; at++) answers.push((await use(sn, `wrong-${at}-code`, '198.51.100.7')).code)
    expect(answers.filter((each) => each === 204033)).toHaveLength(5)
    expect(await use(sn, code, '203.0.113.9')).toMatchObject({ code: 100000 })
  })

  it('is free again after an hour, however much was guessed meanwhile', async () => {
    const { sn, code } = await device()
    await guess(sn, 21)
    server.clock.advance(59 * 60)
    await guess(sn, 5)
    expect(await use(sn, code)).toMatchObject({ code: 204036 })
    server.clock.advance(61)
    expect(await use(sn, code)).toMatchObject({ code: 100000 })
  })

  it('is free at once when somebody makes a new one, though not without end', async () => {
    const { sn } = await device()
    const renew = async () => {
      const { data } = await server.call(createCodes, { codes: sn }, { token })
      return (data as { codes: { activationCode: string }[] }).codes[0]?.activationCode ?? ''
    }
    await guess(sn, 21)
    const code = await renew()
    expect(await use(sn, code)).toMatchObject({ code: 100000 })
    for (let round = 0; round < 4; round++) {
      await guess(sn, 21)
      await renew()
    }
    expect(await use(sn, await renew())).toMatchObject({ code: 204036 })
  })

  it('counts when it was made for a number that is registered elsewhere', async () => {
    const { sn, code } = await device()
    const elsewhere = await addDepartment(server.db, { name: 'Elsewhere', type: 1 })
    await addDevices(server.db, [sn], { departmentId: elsewhere })
    const answers = []
    for (let at = 0; at < 7; at++) answers.push((await use(sn, code)).code)
    expect(answers).toEqual([204014, 204014, 204014, 204014, 204014, 204036, 204036])
  })

  it('stops an address that tries many serial numbers, and not one that joins many devices', async () => {
    for (let at = 0; at < 100; at++) expect((await use(`MANY-${at}`, 'some-wrong-code', '192.0.2.1')).code).toBe(204033)
    expect(await use('MANY-X', 'some-wrong-code', '192.0.2.1')).toMatchObject({ code: 100020 })
    const codes = Array.from({ length: 120 }, (_, at) => `FACTORY-${at}`)
    const { data } = await server.call(createCodes, { codes: codes.join('\n') }, { token })
    for (const { sn, activationCode } of (data as { codes: { sn: string; activationCode: string }[] }).codes)
      expect(await use(sn, activationCode, '192.0.2.9')).toMatchObject({ code: 100000 })
  })
})

describe('an answer confirms no code', () => {
  it('to whoever does not hold the right one for this serial number', async () => {
    const fresh = await device('fresh-code-1')
    const used = await device('used-code-01')
    await use(used.sn, used.code)
    const late = await device('late-code-01')
    await sql`update activation_code set expire_time = now() - interval '1 second' where sn = ${late.sn}`.execute(
      server.db,
    )
    const answers = await Promise.all(
      [
        ['NOBODY-1', 'never-made-1'],
        ['NOBODY-1', fresh.code],
        ['NOBODY-1', used.code],
        ['NOBODY-1', late.code],
        [fresh.sn, 'never-made-1'],
        [fresh.sn, used.code],
        [used.sn, 'never-made-1'],
        [late.sn, fresh.code],
      ].map(([sn = '', code = ''], at) => use(sn, code, `203.0.113.${at + 20}`)),
    )
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
    expect(answers[0]).toMatchObject({ status: 404, code: 204033 })
    expect(await use(used.sn, used.code)).toMatchObject({ code: 204032 })
    expect(await use(late.sn, late.code)).toMatchObject({ code: 204007 })
  })
})
