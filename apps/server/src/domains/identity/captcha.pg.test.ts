import { randomUUID } from 'node:crypto'
import { captcha, login } from '@campanile/contract'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { addDepartment, addUser, startTestApp, type TestApp, testPassword } from '../../test/app.ts'
import * as drawing from './captcha.drawing.ts'

let test: TestApp
beforeAll(async () => {
  test = await startTestApp({ captcha: true })
  const root = await addDepartment(test.db, { name: 'Platform' })
  await addUser(test.db, { username: 'root', departmentId: root, type: 0 })
})
afterAll(() => test.stop())
beforeEach(() => sql`delete from rate_limit`.execute(test.db))

/** The answer is nowhere in what is sent, so the test listens at the drawing board. */
const draw = async () => {
  const answers = vi.spyOn(drawing, 'drawCaptcha')
  const { data } = await test.call(captcha, {})
  const answer = answers.mock.calls.at(-1)?.[0] as string
  answers.mockRestore()
  return { ...(data as { uuid: string; image: string; enabled: boolean }), answer }
}
const attempt = (uuid: string | undefined, code: string | undefined) =>
  test.call(login, { uuid, code, username: 'root', password: testPassword })

describe('the verification picture', () => {
  it('lets its reader through, in any case and with spaces around it', async () => {
    const first = await draw()
    expect(first.enabled).toBe(true)
    expect((await attempt(first.uuid, first.answer.toLowerCase())).code).toBe(100000)
    const second = await draw()
    expect((await attempt(second.uuid, ` ${second.answer} `)).code).toBe(100000)
  })

  it('is spent by the first answer, also a wrong one', async () => {
    const { uuid, answer } = await draw()
    expect(await attempt(uuid, '????')).toMatchObject({ status: 400, code: 21001, data: { field: 'code' } })
    expect((await attempt(uuid, answer)).code).toBe(21001)
  })

  it('lasts two minutes', async () => {
    const { uuid, answer } = await draw()
    test.clock.advance(119)
    expect((await attempt(uuid, answer)).code).toBe(100000)
    const late = await draw()
    test.clock.advance(120)
    expect((await attempt(late.uuid, late.answer)).code).toBe(21001)
  })

  it('must be named', async () => {
    expect((await attempt(undefined, 'AAAA')).code).toBe(21004)
    expect((await attempt('', 'AAAA')).code).toBe(21004)
    expect((await attempt(randomUUID(), 'AAAA')).code).toBe(21001)
    expect((await attempt((await draw()).uuid, undefined)).code).toBe(21001)
  })

  it('is worth one attempt, however many bring it at once', async () => {
    const { uuid, answer } = await draw()
    const codes = (await Promise.all(Array.from({ length: 100 }, () => attempt(uuid, answer)))).map(({ code }) => code)
    expect(codes.filter((code) => code === 100000)).toHaveLength(1)
    expect(codes.filter((code) => code === 21001)).toHaveLength(99)
  })

  it('is drawn in lines only, never twice alike, without saying what it shows', async () => {
    const response = await test.app.inject('/api/v1/captcha')
    const { image, answer } = await draw()
    const svg = Buffer.from(image.replace('data:image/svg+xml;base64,', ''), 'base64').toString()
    expect(svg).not.toMatch(/<(text|title|desc|script|image|use|foreignObject)|aria|id=|class=/)
    expect(svg.toUpperCase()).not.toContain(answer)
    expect(JSON.stringify(response.headers)).not.toContain(answer)
    expect(drawing.drawCaptcha('AHKM')).not.toBe(drawing.drawCaptcha('AHKM'))
  })

  it('is not drawn without end for one address', async () => {
    const ip = '198.51.100.7'
    const end = new Date(test.clock.now().getTime() + 42_000)
    await sql`insert into rate_limit (name, key, window_end, hits) values ('captcha', ${ip}, ${end}, 2999)`.execute(
      test.db,
    )
    expect((await test.call(captcha, {}, { ip })).code).toBe(100000)
    expect(await test.call(captcha, {}, { ip })).toMatchObject({
      code: 100020,
      message: 'Too many requests came from here. Wait 42 s and try again.',
      data: { retryAfter: 42 },
    })
  })
})

describe('answers', () => {
  it('leave out what is taken for something else', () => {
    const seen = new Set(Array.from({ length: 2000 }, drawing.captchaAnswer).join(''))
    expect([...'0O1IL5S2Z8BGQD'].filter((character) => seen.has(character) && character !== 'L')).toEqual([])
    expect(seen.size).toBeGreaterThan(20)
  })
})
