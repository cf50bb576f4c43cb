import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { ApiError, isPartialSuccess } from './apiError.ts'
import { createClient } from './client.ts'

// A real socket: redirects, aborts and time-outs behave as they do in production.
let server: Server
let baseUrl: string
let answer: (request: IncomingMessage, response: ServerResponse) => void
const seen: IncomingMessage[] = []

const json = (status: number, body: unknown) => (_: IncomingMessage, response: ServerResponse) =>
  void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))

const failing = async (work: Promise<unknown>): Promise<ApiError> => {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (!(error instanceof ApiError)) throw new Error('the call should have failed with an ApiError')
  return error
}

beforeEach(async () => {
  seen.length = 0
  server = createServer((request, response) => {
    seen.push(request)
    answer(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})

afterEach(() => {
  server.closeAllConnections()
  server.close()
})

describe('the envelope', () => {
  it.each([100000, 20000])('code %i gives the data', async (code) => {
    answer = json(200, { code, message: 'ok', data: { id: 7 } })
    expect(await createClient({ baseUrl }).call('GET', '/x')).toEqual({ id: 7 })
  })

  it('the code decides even when the status says success', async () => {
    answer = json(200, { code: 53001, message: 'wrong file', data: { field: 'file' } })
    const error = await failing(createClient({ baseUrl }).call('POST', '/x', { body: {} }))
    expect(error).toMatchObject({ kind: 'api', code: 53001, message: 'wrong file', field: 'file' })
  })

  it('a missing code counts as 100004, code 0 stays 0', async () => {
    answer = json(200, { data: 1 })
    expect((await failing(createClient({ baseUrl }).call('GET', '/x'))).code).toBe(100004)
    answer = json(200, { code: 0 })
    expect((await failing(createClient({ baseUrl }).call('GET', '/x'))).code).toBe(0)
  })

  it('partial success is told apart from failure', async () => {
    answer = json(200, { code: 100028, data: ['A1'] })
    expect(isPartialSuccess(await failing(createClient({ baseUrl }).call('POST', '/x')))).toBe(true)
  })

  it('an answer that is not ours keeps its HTTP status', async () => {
    answer = (_, response) => void response.writeHead(502, 'Bad Gateway').end('<html>')
    const error = await failing(createClient({ baseUrl }).call('GET', '/x'))
    expect(error).toMatchObject({ kind: 'http', status: 502, message: 'Bad Gateway' })
  })
})

describe('what is sent', () => {
  it('arrays repeat without indices and absent values are left out', async () => {
    answer = json(200, { code: 100000 })
    await createClient({ baseUrl }).call('GET', '/x', { query: { ids: [1, 2], name: undefined, q: 'a b' } })
    expect(seen[0]?.url).toBe('/x?ids=1&ids=2&q=a+b')
  })

  it('the token and language are read anew for each call; origin sends the original token', async () => {
    answer = json(200, { code: 100000 })
    let token = 'first'
    const client = createClient({ baseUrl, language: 'zh-TW', token: () => token, originToken: 'own' })
    await client.call('GET', '/x')
    token = 'second'
    await client.call('GET', '/x')
    await client.call('POST', '/x', { origin: true })
    expect(seen.map((request) => request.headers.sessionid)).toEqual(['first', 'second', 'own'])
    expect(seen[0]?.headers['accept-language']).toBe('zh-TW')
  })

  it('without an original token the only token is the original one', async () => {
    answer = json(200, { code: 100000 })
    await createClient({ baseUrl, token: 'own' }).call('POST', '/x', { origin: true })
    expect(seen[0]?.headers.sessionid).toBe('own')
  })
})

describe('the end of a session', () => {
  const failsWith = (reply: typeof answer) => {
    answer = reply
    return failing(createClient({ baseUrl, token: 'T' }).call('GET', '/x'))
  }

  it('code 100006, a redirect and HTTP 401 all mean it', async () => {
    const redirect: typeof answer = (_, response) => void response.writeHead(302, { location: '/login' }).end()
    const bare: typeof answer = (_, response) => void response.writeHead(401).end()
    for (const reply of [json(200, { code: 100006 }), redirect, json(401, { code: 100027 }), bare])
      expect((await failsWith(reply)).kind).toBe('session')
  })

  it('wrong credentials answered with 401 do not', async () => {
    const error = await failsWith(json(401, { code: 21002, data: { remaining: 2 } }))
    expect(error).toMatchObject({ kind: 'api', code: 21002, data: { remaining: 2 } })
  })
})

describe('no answer', () => {
  it('silence past the limit is a time-out, also when only the body stalls', async () => {
    answer = () => undefined
    expect((await failing(createClient({ baseUrl }).call('GET', '/x', { timeout: 30 }))).kind).toBe('timeout')
    answer = (_, response) => void response.writeHead(200).write('{"code":')
    expect((await failing(createClient({ baseUrl }).call('GET', '/x', { timeout: 60 }))).kind).toBe('timeout')
  })

  it('a cut connection is a network failure and a cancelled call says so', async () => {
    answer = (request) => void request.socket.destroy()
    expect((await failing(createClient({ baseUrl }).call('GET', '/x'))).kind).toBe('network')
    answer = () => undefined
    const controller = new AbortController()
    const call = failing(createClient({ baseUrl }).call('GET', '/x', { signal: controller.signal }))
    controller.abort()
    expect((await call).kind).toBe('aborted')
  })

  it('ordinary calls wait a minute, imports and exports ten', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const waits = vi.spyOn(globalThis, 'setTimeout')
    vi.spyOn(globalThis, 'fetch').mockImplementation(async () => Response.json({ code: 100000 }))
    const client = createClient({ baseUrl })
    await client.call('GET', '/api/v1/users/list')
    await client.call('POST', '/api/v1/users/export')
    await client.call('POST', '/api/v3/device/importTransfer')
    expect(waits.mock.calls.map(([, wait]) => wait)).toEqual([60_000, 600_000, 600_000])
    vi.restoreAllMocks()
    vi.useRealTimers()
  })
})

describe('downloads', () => {
  it('give the file and its name in any script', async () => {
    answer = (_, response) =>
      void response
        .writeHead(200, {
          'content-type': 'text/csv',
          'content-disposition': `attachment; filename="list.csv"; filename*=UTF-8''%E8%AE%BE%E5%A4%87.csv`,
        })
        .end('a,b')
    const { blob, fileName } = await createClient({ baseUrl, token: 'T' }).download('/f', { fileName: 'fallback.csv' })
    expect([await blob.text(), fileName]).toEqual(['a,b', '设备.csv'])
    expect(seen[0]?.headers).toMatchObject({ sessionid: 'T', filename: 'fallback.csv' })
    expect(Number(seen[0]?.headers.timestamp)).toBeGreaterThan(0)
  })

  it('a refusal instead of a file is the error it carries', async () => {
    answer = json(404, { code: 100017, message: 'gone' })
    expect(await failing(createClient({ baseUrl }).download('/f'))).toMatchObject({ code: 100017, message: 'gone' })
  })
})
