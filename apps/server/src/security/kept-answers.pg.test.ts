import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { startInstallation, type World } from '../test/world.ts'
import { declaredCalls, fill, nameOf, openCalls, requestOf } from './declared-calls.ts'

// Every route, as somebody who may and as a stranger
vi.setConfig({ testTimeout: 120_000 })

let world: Omit<World, 'a' | 'b'>
beforeAll(async () => {
  world = await startInstallation()
})
afterAll(() => world.stop())

/** What a browser or a proxy may keep, because it is nobody's; a route is added here on purpose or not at all. */
const mayBeKept: Record<string, RegExp> = {
  'GET /*': /no-cache|max-age/,
  'GET /api/v1/logo/:key': /max-age/,
  'GET /device/v1/agent.mjs': /no-cache|max-age/,
  // Words of the product, the same for everybody; asked again each time whether they still hold.
  'GET /api/v1/dictionary/all': /^private, no-cache$/,
}

describe('no answer is kept', () => {
  it('of any route, refused or granted', async () => {
    const wrong: string[] = []
    let { token } = await world.as('admin')
    const note = (route: string, header: unknown, status: number) => {
      if (/\bno-store\b/.test(String(header))) return
      if (!mayBeKept[route]?.test(String(header))) wrong.push(`${route} ${status}: ${String(header)}`)
    }
    for (const { method, url } of world.app.routesDeclared) {
      const { headers, statusCode } = await world.app.inject({
        method: method as 'GET',
        url: url.replace(/:\w+/g, '1'),
      })
      note(`${method} ${url}`, headers['cache-control'], statusCode)
    }
    for (const call of [...declaredCalls, ...openCalls]) {
      const { headers, statusCode } = await world.app.inject({
        ...requestOf(
          call,
          fill(call, () => 1),
        ),
        headers: { sessionid: token },
      })
      note(nameOf(call), headers['cache-control'], statusCode)
      if (statusCode === 401) token = (await world.as('admin')).token
    }
    const { headers, statusCode } = await world.app.inject({ method: 'GET', url: '/api/nothing' })
    note('GET /api/nothing', headers['cache-control'], statusCode)
    expect(wrong).toEqual([])
  })
})
