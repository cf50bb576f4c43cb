import { commonErrors } from '@campanile/contract'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { createRandom, fuzzRounds, type Random } from '../test/random.ts'
import { openRaw } from '../test/raw-http.ts'
import { startInstallation, type World } from '../test/world.ts'
import { type DeclaredCall, declaredCalls, fill, nameOf, openCalls } from './declared-calls.ts'

// Every route, several times over, and more of them with every room that is added
vi.setConfig({ testTimeout: 300_000 * fuzzRounds })

let world: Omit<World, 'a' | 'b'>
let token: string
let port: number
beforeAll(async () => {
  world = await startInstallation()
  token = (await world.as('admin')).token
  port = Number(new URL(await world.app.listen({ port: 0, host: '127.0.0.1' })).port)
})
afterAll(() => world.stop())

const nested = (depth: number, open: string, close: string) => `${open.repeat(depth)}${close.repeat(depth)}`
/** Values nobody fills in, as JSON. */
const strange = [
  'null',
  'true',
  '""',
  '-1',
  '-0',
  '0.5',
  '1e308',
  '-1e308',
  '1e999',
  '5e-324',
  '9007199254740993',
  '2147483648',
  '9223372036854775808',
  '"\\u0000"',
  '"a\\u0000b"',
  '"\\ud800"',
  '"\\udc00\\ud800"',
  '"\\ufffe\\u202e"',
  '"NaN"',
  '"%"',
  '"\\\\"',
  '"\'; drop table device; --"',
  '"{1,2}"',
  '"2026-02-30"',
  '"999999-12-31T00:00:00Z"',
  '"../../etc/passwd"',
  `"${'x'.repeat(20_000)}"`,
  `"${'\u{1f469}\u200d'.repeat(500)}"`,
  '[]',
  '[null]',
  '[[[[1]]]]',
  `[${Array.from({ length: 2_000 }, (_, at) => at).join()}]`,
  '{}',
  '{"toString":1}',
  '{"constructor":{"prototype":{"a":1}}}',
  '{"__proto__":{"a":1}}',
  '{"length":-1}',
  nested(3_000, '[', ']'),
  `${'{"a":'.repeat(3_000)}1${'}'.repeat(3_000)}`,
]
/** Bodies that are no object of any shape. */
const broken = [
  '',
  '{',
  '{"a":',
  '[',
  'null',
  '"text"',
  '123',
  '{"a":1}}',
  '\ufeff{}',
  '{"__proto__":{"polluted":true}}',
  '{"constructor":{"prototype":{"polluted":true}}}',
  nested(200_000, '[', ']'),
  '['.repeat(200_000),
  '\0',
  Buffer.from([0xff, 0xfe, 0x7b, 0x00, 0x7d, 0x00]),
  Buffer.from([0xc3, 0x28]),
]
const types = [
  'application/json',
  'application/json; charset=utf-16',
  'application/json; charset="',
  'text/plain',
  'application/x-www-form-urlencoded',
  'application/xml',
  'multipart/form-data',
  'multipart/form-data; boundary=x',
  'multipart/form-data; boundary="',
  'multipart/mixed; boundary=x',
  '',
  ';;;',
  'a/b/c',
]
const queries = [
  'a=%',
  'page=%zz',
  'page=%00',
  '%ff=%fe',
  'page=1&page=2&pageSize=1&pageSize=2',
  '__proto__=1&constructor=2&toString=3',
  '__proto__[a]=1&a[b]=1&a[]=2',
  'id=1&id=2&id=',
  'id=9007199254740993',
  'id=1e3',
  'pageSize=999999999999999999999',
  'page=-1',
  'sort=%27;--',
  '&&&===',
  `id=${'1,'.repeat(2_000)}`,
  'search=%F0%9F%91%A9',
  '?',
]
const parameters = ['%', '%zz', '%00', '%2e%2e%2f', '%ff', '..', 'a%20b', '9'.repeat(200), '%F0%9F%91%A9', "'--", '-1']

interface Attempt {
  readonly method: string
  readonly url: string
  readonly type?: string
  readonly body?: string | Buffer
}

/** What the declaration asks for, as JSON by field, with one or two fields turned into something strange. */
const spoiled = (call: DeclaredCall, { pick, below }: Random): string => {
  const fields = Object.entries(fill(call, () => 1)).map(([name, value]) => [name, JSON.stringify(value)])
  const body = new Map(fields.filter(([, text]) => text !== undefined) as [string, string][])
  const names = Object.keys(call.shape)
  for (let times = 1 + below(2); times > 0; times -= 1)
    body.set(
      names.length > 0 && below(5) > 0 ? pick(names) : pick(['__proto__', 'constructor', 'x', '']),
      pick(strange),
    )
  return `{${[...body].map(([name, text]) => `${JSON.stringify(name)}:${text}`).join()}}`
}

const queryOf = (call: DeclaredCall, { pick, below }: Random): string => {
  const names = Object.keys(call.shape)
  if (names.length === 0 || below(3) === 0) return pick(queries)
  return Array.from({ length: 1 + below(3) }, () => {
    const value = pick(strange)
    const text = value.startsWith('"') ? (JSON.parse(value) as string).replace(/\p{Surrogate}/gu, '') : value
    return `${encodeURIComponent(pick(names))}=${encodeURIComponent(text.slice(0, 3_000))}`
  }).join('&')
}

const attemptsOn = (call: DeclaredCall, random: Random): Attempt[] => {
  const { method } = call
  const path = call.path.replace(/:\w+/g, '1')
  const odd = call.path.replace(/:\w+/g, () => random.pick(parameters))
  const several = Array.from({ length: 2 * fuzzRounds }, () => ({ method, url: `${path}?${queryOf(call, random)}` }))
  const paths = odd === path ? [] : Array.from({ length: 2 }, () => ({ method, url: odd }))
  if (method === 'GET') return [...several, ...paths]
  const type = 'application/json'
  return [
    ...several.slice(0, fuzzRounds),
    ...paths,
    ...Array.from({ length: 4 * fuzzRounds }, () => ({ method, url: path, type, body: spoiled(call, random) })),
    ...Array.from({ length: fuzzRounds }, () => ({ method, url: path, type, body: random.pick(broken) })),
    { method, url: path, type: random.pick(types), body: `--x\r\n${random.pick(strange)}` },
  ]
}

const send = async ({ method, url, type, body }: Attempt) =>
  world.app.inject({
    method: method as 'POST',
    url,
    headers: { sessionid: token, ...(type !== undefined && { 'content-type': type }) },
    ...(body !== undefined && { payload: body }),
  })

const many = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [at, 0]))

describe('a body full of tiny things', () => {
  it.each([
    ['POST', '/api/v1/login', many(95_000), 413],
    ['POST', '/device/v1/activate', many(5_000), 413],
    ['POST', '/api/v1/scanLogin/poll', many(500), 400],
    ['POST', '/api/v1/login', Array.from({ length: 100 }, () => ({})), 400],
    ['PUT', '/api/v1/notifications/read', many(5_000), 400],
    ['PUT', '/api/v1/notifications/read', Array.from({ length: 20_000 }, () => ({})), 400],
    ['PUT', '/api/v1/notifications/read', { ids: Array.from({ length: 40_000 }, () => 1) }, 400],
  ] as const)('%s %s is refused before anybody reads it', async (method, url, body, status) => {
    const answer = await send({ method, url, type: 'application/json', body: JSON.stringify(body) })
    expect(answer.statusCode).toBe(status)
    expect(answer.json<{ code: number }>().code).toBe(status === 413 ? commonErrors.bodyTooLarge.code : 100003)
  })
})

describe('whatever is sent', () => {
  it('to any route is answered, and never as if it were our fault', async () => {
    const random = createRandom(8)
    const wrong: string[] = []
    let sent = 0
    for (const call of [...declaredCalls, ...openCalls])
      for (const attempt of attemptsOn(call, random)) {
        const { statusCode } = await send(attempt)
        sent += 1
        // Among the strange calls are those that end a session.
        if (statusCode === 401) token = (await world.as('admin')).token
        if (statusCode >= 500)
          wrong.push(
            `${nameOf(call)} ${statusCode}: ${attempt.url.slice(0, 200)} ${String(attempt.body).slice(0, 300)}`,
          )
      }
    expect(wrong).toEqual([])
    expect(sent).toBeGreaterThan(1_500)
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined()
    expect((await world.request('GET', '/readyz')).code).toBe(100000)
  })

  it.each([
    ['no host', 'GET /api/v1/runtime HTTP/1.1\r\n\r\n'],
    ['an empty host', 'GET /api/v1/runtime HTTP/1.1\r\nHost:\r\n\r\n'],
    ['two hosts', 'GET /api/v1/runtime HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n'],
    ['a host of strange characters', 'GET /api/v1/runtime HTTP/1.1\r\nHost: a b/@[\\\r\n\r\n'],
    ['a host with a strange port', 'GET /api/v1/runtime HTTP/1.1\r\nHost: [::1:99999999\r\n\r\n'],
    ['a long host', `GET /api/v1/runtime HTTP/1.1\r\nHost: ${'a'.repeat(9_000)}\r\n\r\n`],
    ['a host that is not text', 'GET /api/v1/runtime HTTP/1.1\r\nHost: \xff\xfe\r\n\r\n'],
    ['a whole address as path', 'GET http://other.example/api/v1/runtime HTTP/1.1\r\nHost: a\r\n\r\n'],
    ['a path without a slash', 'GET api/v1/runtime HTTP/1.1\r\nHost: a\r\n\r\n'],
    ['a path that cannot be decoded', 'GET /api/v1/%zz HTTP/1.1\r\nHost: a\r\n\r\n'],
    ['a path of another alphabet', 'GET /api/v1/\xff\xfe HTTP/1.1\r\nHost: a\r\n\r\n'],
    ['too long a path', `GET /${'a'.repeat(20_000)} HTTP/1.1\r\nHost: a\r\n\r\n`],
    ['an asterisk', 'OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n'],
    ['a method nobody knows', 'BREW /api/v1/runtime HTTP/1.1\r\nHost: a\r\n\r\n'],
    ['a tunnel', 'CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n'],
    ['two lengths', 'POST /api/v1/login HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n{}'],
    ['a negative length', 'POST /api/v1/login HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n{}'],
    [
      'a length and chunks',
      'POST /api/v1/login HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    ],
    [
      'broken chunks',
      'POST /api/v1/login HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n',
    ],
    ['too many headers', `GET / HTTP/1.1\r\nHost: a\r\n${'a: b\r\n'.repeat(5_000)}\r\n`],
    ['another protocol', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'],
    [
      'an upgrade where nothing speaks it',
      'GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n',
    ],
    [
      'an upgrade to something else',
      'GET /api/v1/runtime HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n',
    ],
  ])('with %s is no fault of ours', async (what, text) => {
    const connection = openRaw(port)
    connection.write(Buffer.from(text, 'latin1'))
    connection.socket.setTimeout(5_000, () => connection.socket.end())
    const answer = await Promise.race([connection.answered, connection.ended.then(() => ({ status: 0 }))])
    connection.socket.destroy()
    expect(answer.status < 500, String(answer.status)).toBe(true)
    // Whatever is refused is refused in the shape of every other answer; without a host Node answers by itself.
    if ('code' in answer && answer.status >= 400 && what !== 'no host') expect(answer.code).toBeGreaterThan(100_000)
    expect((await world.request('GET', '/readyz')).code).toBe(100000)
  })
})
