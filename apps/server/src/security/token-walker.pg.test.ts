import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { addDepartment, addRole, addUser, startTestApp, type TestApp } from '../test/app.ts'

// Every route, many times over, and more of them with every room that is added
vi.setConfig({ testTimeout: 180_000 })

let test: TestApp
let token = ''
/** Of somebody with a role, which holds none of the permissions asked for. */
let powerless = ''
beforeAll(async () => {
  test = await startTestApp()
  const root = await addDepartment(test.db, { name: 'Platform' })
  await addUser(test.db, { username: 'root', departmentId: root, type: 0 })
  token = (await test.signIn('root')).token
  const roleIds = [await addRole(test.db, { departmentId: root, permissions: ['nothing:at:all'] })]
  await addUser(test.db, { username: 'powerless', departmentId: root, roleIds })
  powerless = (await test.signIn('powerless')).token
})
afterAll(() => test.stop())

/** Everybody may call these; a route is added here on purpose or not at all. */
const open = [
  'GET /healthz',
  'GET /readyz',
  'GET /metrics',
  'GET /openapi.json',
  'GET /docs',
  'GET /docs/*',
  'GET /*',
  'GET /api/v1/captcha',
  'GET /api/v1/publicKey',
  'POST /api/v1/login',
  'POST /api/v1/loginWith2Fa',
  'POST /api/v1/getAuthInfo',
  'POST /api/v1/login/smsCode',
  'POST /api/v1/login/sms',
  'POST /api/v1/scanLogin',
  'POST /api/v1/scanLogin/poll',
  'GET /api/v1/runtime',
  'GET /api/v1/agreements',
  'POST /device/v1/activate',
  'GET /device/v1/releaseKey',
  'GET /device/v1/agent.mjs',
  'PUT /device/v1/upload/:id',
  'GET /device/v1/download/:id',
  'GET /api/v1/logo/:key',
]

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'
const guarded = () =>
  test.app.routesDeclared
    .filter(({ rules }) => rules.perm !== 'public')
    .map(({ method, url }) => ({ method: method as Method, url: url.replace(/:\w+/g, '1') }))

const codeOf = async (method: string, url: string, headers: Record<string, string> = {}) => {
  const answer = await test.app.inject({ method: method as Method, url, headers })
  const body = answer.headers['content-type']?.toString().includes('json') ? answer.json<{ code: number }>() : undefined
  return body?.code ?? `http ${answer.statusCode}`
}
/** Everything that did not answer as it should, by name. */
const unlike = async (
  expected: readonly unknown[],
  ask: (route: { method: Method; url: string }) => Promise<unknown>,
) => {
  const wrong = []
  for (const route of guarded()) {
    const code = await ask(route)
    if (!expected.includes(code)) wrong.push(`${route.method} ${route.url} → ${code}`)
  }
  return wrong
}

describe('every route', () => {
  it('that is open to everybody is on the list', () => {
    const declared = test.app.routesDeclared
      .filter(({ rules }) => rules.perm === 'public')
      .map(({ method, url }) => `${method} ${url}`)
    expect(declared.filter((route) => !open.includes(route))).toEqual([])
    expect(guarded().length).toBeGreaterThan(30)
  })

  it('declares permission and scope', () => {
    expect(test.app.routesDeclared.filter(({ rules }) => !rules.perm || !rules.scope)).toEqual([])
  })

  it('refuses a caller without a token', async () => {
    expect(await unlike([100015], ({ method, url }) => codeOf(method, url))).toEqual([])
    expect(await unlike([100015], ({ method, url }) => codeOf(method, url, { sessionid: '' }))).toEqual([])
  })

  it('refuses a wrong token, whatever it looks like', async () => {
    const wrong = [
      randomBytes(32).toString('base64url'),
      `${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`,
      `${token} `.repeat(2).trim(),
      `Bearer ${token}`,
      'null',
      '0',
      "' or 1=1 --",
    ]
    for (const sessionid of wrong)
      expect(await unlike([100012], ({ method, url }) => codeOf(method, url, { sessionid }))).toEqual([])
  })

  it('refuses somebody whose roles do not hold its permission', async () => {
    const asked = test.app.routesDeclared.filter(({ rules: { perm } }) => perm.includes(':'))
    expect(asked.length).toBeGreaterThan(20)
    const answers = []
    for (const { method, url } of asked)
      answers.push(`${method} ${url} → ${await codeOf(method, url.replace(/:\w+/g, '1'), { sessionid: powerless })}`)
    expect(answers.filter((answer) => !answer.endsWith('→ 100013'))).toEqual([])
  })

  it('is not reached by another spelling of its path', async () => {
    const spellings = [
      (url: string) => `/${url}`,
      (url: string) => url.replace('/api/', '/api//'),
      (url: string) => url.replace('/api/', '/./api/'),
      (url: string) => url.replace('/api/', '/%2e/api/'),
      (url: string) => url.replace('/api/', '/x/../api/'),
      (url: string) => url.replace('/api/', '/api/%2e%2e/api/'),
      (url: string) => url.replace('/api/', '/API/'),
      (url: string) => url.replace('/api/', '/%61pi/'),
      (url: string) => `${url}/`,
      (url: string) => `${url};x=1`,
      (url: string) => `${url}%00`,
      (url: string) => `${url}?token=${token}&SessionId=${token}`,
    ]
    // What is found answers for the missing token, what is not found is not there; nothing else.
    for (const spell of spellings)
      expect(
        await unlike([100015, 100017, 100002, 21026, 'http 400', 'http 404'], ({ method, url }) =>
          codeOf(method, spell(url)),
        ),
      ).toEqual([])
  })

  it('is not reached by another method', async () => {
    for (const method of ['HEAD', 'OPTIONS', 'PATCH', 'TRACE'])
      expect(await unlike([100017, 'http 404', 'http 400'], ({ url }) => codeOf(method, url))).toEqual([])
    for (const header of ['x-http-method-override', 'x-http-method', 'x-method-override'])
      expect(
        await unlike([100015], ({ method, url }) =>
          codeOf(method, url, { [header]: 'GET', 'x-original-method': 'GET' }),
        ),
      ).toEqual([])
  })

  it('knows a caller by the token alone, whatever else is claimed', async () => {
    const claims: Record<string, string>[] = [
      { 'user-agent': 'Nacos-Server' },
      { 'user-agent': 'internal', 'x-internal': 'true' },
      { 'x-user-id': '1', 'x-user': 'root', 'x-username': 'root', 'x-role': 'admin' },
      {
        'x-forwarded-for': '127.0.0.1',
        'x-forwarded-host': 'localhost',
        'x-forwarded-user': 'root',
        'x-real-ip': '127.0.0.1',
      },
      { 'x-original-url': '/healthz', 'x-rewrite-url': '/healthz', forwarded: 'for=127.0.0.1' },
      { authorization: `Bearer ${token}` },
      { cookie: `SessionId=${token}; token=${token}` },
      { 'x-session-id': token, 'session-id': token, token },
    ]
    for (const headers of claims)
      expect(await unlike([100015], ({ method, url }) => codeOf(method, url, headers))).toEqual([])
  })

  it('refuses before it reads what a stranger sends', async () => {
    const answers = await unlike([100015], async ({ method, url }) => {
      if (method === 'GET') return 100015
      const answer = await test.app.inject({
        method,
        url,
        headers: { 'content-type': 'application/json' },
        payload: '{"a":',
      })
      return answer.json<{ code: number }>().code
    })
    expect(answers).toEqual([])
  })

  it('answers its owner: the walker would notice a server that refuses everybody', async () => {
    expect(await codeOf('GET', '/api/v1/oauth/profile', { sessionid: token })).toBe(100000)
  })
})
