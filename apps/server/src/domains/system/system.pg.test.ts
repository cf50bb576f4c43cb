import { configDefaults } from '@campanile/contract'
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addDepartment, addRole, addUser, newsTold, startTestApp, type TestApp } from '../../test/app.ts'

let server: TestApp
let root: number
let north: number
let south: number
let admin: { token: string }
let local: { token: string }

const config = '/api/v1/system/config'
const permissions = [
  'system:config:list',
  'system:config:edit',
  'system:log:list',
  'system:log:export',
  ...['list', 'add', 'edit', 'delete', 'export'].map((verb) => `notice:announcement:${verb}`),
]

beforeAll(async () => {
  server = await startTestApp()
  const { db } = server
  root = await addDepartment(db, { name: 'Platform' })
  north = await addDepartment(db, { name: 'North', parentId: root, type: 1 })
  south = await addDepartment(db, { name: 'South', parentId: root, type: 1 })
  await addUser(db, {
    username: 'top',
    departmentId: root,
    roleIds: [await addRole(db, { departmentId: root, permissions })],
  })
  await addUser(db, {
    username: 'local',
    departmentId: north,
    roleIds: [await addRole(db, { departmentId: north, permissions })],
  })
  await addUser(db, { username: 'southerner', departmentId: south })
  admin = await server.signIn('top')
  local = await server.signIn('local')
})
afterAll(() => server.stop())

const get = (url: string, who?: { token: string }) => server.request('GET', url, undefined, who)
const raw = (url: string, headers: Record<string, string> = {}, ip = '127.0.0.1') =>
  server.app.inject({ url, headers, remoteAddress: ip })

describe('configuration', () => {
  test('refuses an SMS gateway it would never call, unless that is allowed in the same breath', async () => {
    const smsWebhook = 'http://192.168.7.20/send'
    const put = (values: object) => server.request('PUT', config, values, admin)
    expect(await put({ smsWebhook })).toMatchObject({ status: 400, code: 21076, data: { field: 'smsWebhook' } })
    expect((await get(config, admin)).data.values).toMatchObject({ smsWebhook: null })
    expect((await put({ smsWebhook, allowPrivateServer: true })).code).toBe(100000)
    expect((await put({ allowPrivateServer: false })).code).toBe(21076)
    expect((await put({ exportKeepDays: 4 })).code).toBe(100000)
    expect((await put({ smsWebhook: null, allowPrivateServer: false, exportKeepDays: 7 })).code).toBe(100000)
    expect((await put({ smsWebhook: 'https://sms.example/send' })).code).toBe(100000)
    await put({ smsWebhook: null })
  })

  test('a change is read back at once, with who made it, and is in the operation log', async () => {
    const answer = await server.request('PUT', config, { exportKeepDays: 3, sessionIdleMinutes: 45 }, admin)
    expect(answer).toMatchObject({ code: 100000, data: { needsReload: true, values: { exportKeepDays: 3 } } })
    const read = await get(config, admin)
    expect(read.data).toMatchObject({ values: { exportKeepDays: 3 }, updated: { exportKeepDays: { by: 'top' } } })
    expect((await get('/api/v1/runtime')).data).toMatchObject({ sessionIdleMinutes: 45 })
    const lines =
      await sql`select type, before, after from op_log_now() where module = 'config' order by id desc limit 1`.execute(
        server.db,
      )
    expect(lines.rows[0]).toEqual({
      type: 'update',
      before: { exportKeepDays: 7, sessionIdleMinutes: 30 },
      after: { exportKeepDays: 3, sessionIdleMinutes: 45 },
    })
  })

  test('a secret is taken and never shown, not even in the operation log', async () => {
    const trustedIssuerKey = 'a-shared-secret-of-some-length-0123456789'
    const answer = await server.request('PUT', config, { trustedIssuerKey }, admin)
    expect(answer.data.values).toMatchObject({ trustedIssuerKey: '***' })
    expect((await get(config, admin)).data.values).toMatchObject({ trustedIssuerKey: '***' })
    const lines = await sql<{ text: string }>`select json_agg(l)::text as text from op_log_now() l`.execute(server.db)
    expect(lines.rows[0]?.text).not.toContain(trustedIssuerKey)
    const stored = await sql<{ text: string }>`select json_agg(c)::text as text from system_config c`.execute(server.db)
    expect(stored.rows[0]?.text).toContain('trustedIssuerKey')
    expect(stored.rows[0]?.text).not.toContain(trustedIssuerKey)
    await server.request('PUT', config, { trustedIssuerKey: null }, admin)
    expect((await get(config, admin)).data.values).toMatchObject({ trustedIssuerKey: null })
  })

  test('belongs to the installation: an enterprise’s administrator neither reads nor writes it', async () => {
    expect(await get(config, local)).toMatchObject({ status: 403, code: 100013 })
    expect(await server.request('PUT', config, { exportKeepDays: 1 }, local)).toMatchObject({ code: 100013 })
  })

  test('wrong values and unknown names are refused with the field', async () => {
    expect(await server.request('PUT', config, { exportKeepDays: 0 }, admin)).toMatchObject({
      code: 100002,
      data: { field: 'exportKeepDays' },
    })
    expect(await server.request('PUT', config, { logo: 'x' }, admin)).toMatchObject({ code: 100009 })
    expect(await server.request('PUT', config, { trustedIssuerDepartmentId: 99_999 }, admin)).toMatchObject({
      code: 100002,
    })
  })

  test('agreements are there in three languages before anybody writes any, with a section on children', async () => {
    const { data } = await get('/api/v1/agreements')
    expect(data).toEqual({
      serviceAgreement: configDefaults.serviceAgreement,
      privacyPolicy: configDefaults.privacyPolicy,
    })
    const { privacyPolicy } = configDefaults
    expect(privacyPolicy.en).toContain('Children')
    expect(privacyPolicy['zh-cn']).toContain('未成年人')
    expect(privacyPolicy['zh-tw']).toContain('未成年人')
  })
})

describe('the logo', () => {
  const png = (width: number, height: number) => {
    const bytes = Buffer.alloc(64)
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13]).copy(bytes)
    bytes.write('IHDR', 12)
    bytes.writeUInt32BE(width, 16)
    bytes.writeUInt32BE(height, 20)
    return bytes
  }
  const bmp = () => {
    const bytes = Buffer.alloc(64)
    bytes.write('BM')
    bytes.writeUInt32LE(40, 14)
    bytes.writeInt32LE(32, 18)
    bytes.writeInt32LE(-32, 22)
    return bytes
  }
  const upload = async (file: Buffer, who = admin) => {
    const head = '--b\r\ncontent-disposition: form-data; name="file"; filename="../../x.svg"\r\n\r\n'
    const response = await server.app.inject({
      method: 'POST',
      url: `${config}/logo`,
      headers: { sessionid: who.token, 'content-type': 'multipart/form-data; boundary=b' },
      payload: Buffer.concat([Buffer.from(head), file, Buffer.from('\r\n--b--\r\n')]),
    })
    return response.json()
  }

  test('is taken by what its bytes are, served to anybody, and replaces the one before', async () => {
    const first = await upload(png(32, 32))
    expect(first.code).toBe(100000)
    const served = await raw(first.data.logo)
    expect(served.statusCode).toBe(200)
    expect(served.headers).toMatchObject({ 'content-type': 'image/png', 'x-content-type-options': 'nosniff' })
    const second = await upload(bmp())
    expect((await raw(second.data.logo)).headers['content-type']).toBe('image/bmp')
    expect((await raw(first.data.logo)).statusCode).toBe(404)
    expect((await get('/api/v1/runtime')).data.logo).toBe(second.data.logo)
    await server.request('DELETE', `${config}/logo`, undefined, admin)
    expect((await get('/api/v1/runtime')).data.logo).toBeNull()
    expect((await raw(second.data.logo)).statusCode).toBe(404)
  })

  test.each([
    [
      'a drawing that could run script',
      Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>1</script></svg>'),
    ],
    ['a page', Buffer.from('<!doctype html><script>1</script>')],
    ['a flood of pixels', png(65_535, 65_535)],
    ['nothing', Buffer.alloc(0)],
  ])('is not %s', async (_, bytes) => {
    expect(await upload(bytes)).toMatchObject({ code: 100002, data: { field: 'logo' } })
  })

  test('is at most a megabyte, and only the installation’s administrators set it', async () => {
    expect(await upload(Buffer.concat([png(8, 8), Buffer.alloc(1024 * 1024)]))).toMatchObject({ code: 53034 })
    expect(await upload(png(8, 8), local)).toMatchObject({ code: 100013 })
  })
})

describe('dictionaries', () => {
  const label = { en: 'Tenth', 'zh-cn': '十', 'zh-tw': '十' }

  test('codes of the product can be renamed but not removed, one’s own can', async () => {
    await sql`insert into dictionary_item (dictionary, code, label, built_in)
      values ('colourKind', 1, ${JSON.stringify({ en: 'Red', 'zh-cn': '红', 'zh-tw': '紅' })}::jsonb, true)`.execute(
      server.db,
    )
    const made = await server.request(
      'POST',
      '/api/v1/dictionary/create',
      { dictionary: 'colourKind', code: 10, label },
      admin,
    )
    expect(made.code).toBe(100000)
    const again = await server.request(
      'POST',
      '/api/v1/dictionary/create',
      { dictionary: 'colourKind', code: 10, label },
      admin,
    )
    expect(again).toMatchObject({ status: 409, code: 100010, data: { field: 'code' } })
    const { data } = await get('/api/v1/dictionary/list?dictionary=colourKind', admin)
    const builtIn = (data.rows as { id: number; builtIn: boolean }[]).find((row) => row.builtIn)
    expect(await server.request('DELETE', '/api/v1/dictionary/delete', { ids: [builtIn?.id] }, admin)).toMatchObject({
      code: 100014,
    })
    expect(await server.request('PUT', '/api/v1/dictionary/update', { id: builtIn?.id, label }, admin)).toMatchObject({
      code: 100000,
    })
    expect(await server.request('DELETE', '/api/v1/dictionary/delete', { ids: [made.data.id] }, admin)).toMatchObject({
      code: 100000,
    })
  })

  test('are read by everybody and sent again only when something changed', async () => {
    const url = '/api/v1/dictionary/all'
    const first = await raw(url, { sessionid: local.token })
    const etag = String(first.headers.etag)
    expect((await raw(url, { sessionid: local.token, 'if-none-match': etag })).statusCode).toBe(304)
    await server.request('POST', '/api/v1/dictionary/create', { dictionary: 'colourKind', code: 11, label }, admin)
    const after = await raw(url, { sessionid: local.token, 'if-none-match': etag })
    expect(after.statusCode).toBe(200)
    expect(after.json().data.rows).toContainEqual(expect.objectContaining({ dictionary: 'colourKind', code: 11 }))
  })
})

describe('announcements', () => {
  test('reach the people of the organisation and below, nobody else', async () => {
    const answer = await server.request(
      'POST',
      '/api/v1/announcement/create',
      { title: 'North only', text: 't', departmentId: north },
      local,
    )
    expect(answer.code).toBe(100000)
    await newsTold(server.db)
    const told = await sql<{
      username: string
    }>`select u.username from notification n join sys_user u on u.id = n.user_id
      where n.type = 'announcement'`.execute(server.db)
    expect(told.rows).toEqual([{ username: 'local' }])
  })

  test('cannot be published to an organisation out of reach', async () => {
    const answer = await server.request(
      'POST',
      '/api/v1/announcement/create',
      { title: 'x', text: 't', departmentId: south },
      local,
    )
    expect(answer).toMatchObject({ status: 403, code: 100013 })
    await newsTold(server.db)
    const told = await sql`select 1 from notification n join sys_user u on u.id = n.user_id
      where n.type = 'announcement' and u.username = 'southerner'`.execute(server.db)
    expect(told.rows).toEqual([])
  })
})

describe('the operation log', () => {
  const list = async (query: string, who = admin) => (await get(`/api/v1/gateway/op-log/list?${query}`, who)).data

  /** Lines of four days, noon and midnight included, as if they had been written then. */
  const past = async () => {
    const owner = new pg.Client(server.database.owner)
    await owner.connect()
    await owner.query('truncate op_log, op_log_tally, op_log_pending')
    await owner.query(`update op_log_strand set number = 0, create_time = '-infinity'`)
    await owner.query(
      `update op_log_head set id = 0, create_time = '-infinity', hash = decode(repeat('00', 32), 'hex'), chained = default`,
    )
    // The trigger as it is, but with a clock that can be set.
    const { rows } = await owner.query(`select pg_get_functiondef('op_log_write'::regproc) as source`)
    await owner.query(rows[0].source.replace('clock_timestamp()', 'new.create_time'))
    for (let hour = 0; hour < 96; hour += 6)
      for (const [type, result, department] of [
        ['create', 'success', north],
        ['update', 'failed', north],
        ['update', 'success', south],
      ])
        await owner.query(
          `insert into op_log_pending (create_time, department_id, department_name, department_path, username, route, module, type, result, code)
           select timestamptz '2026-03-01 00:00Z' + $1 * interval '1 hour', id, name, path, 'somebody', 'r', 'test', $2, $3, 1
           from department where id = $4`,
          [hour, type, result, department],
        )
    await owner.query('select op_log_catch_up()')
    await owner.query(rows[0].source)
    await owner.end()
  }

  test('totals are exact whatever is asked for, by whomever', async () => {
    await past()
    const spans = [
      '',
      ...[
        '2026-03-01T00:00:00Z',
        '2026-03-02T06:00:00Z',
        '2026-03-02T05:59:59.5Z',
        '2026-03-03T00:00:00+08:00',
      ].flatMap((from) => [
        `&startTime=${encodeURIComponent(from)}`,
        ...['2026-03-02T12:00:00Z', '2026-03-04T00:00:00Z', '2026-03-04T18:00:01Z', '2026-02-01T00:00:00Z'].flatMap(
          (to) => [
            `&endTime=${to}`,
            ...(Date.parse(to) < Date.parse(from) ? [] : [`&startTime=${encodeURIComponent(from)}&endTime=${to}`]),
          ],
        ),
      ]),
    ]
    const filters = [
      'module=test',
      'type=update&module=test',
      'type=update&type=create&module=test',
      'result=failed&module=test',
      'module=none',
      'username=some',
      'ids=3&ids=4',
    ]
    const wrong: string[] = []
    for (const who of [admin, local])
      for (const span of spans)
        for (const filter of filters) {
          const { total, opLogs } = await list(`${filter}${span}&pageSize=199`, who)
          if (total !== (opLogs as unknown[]).length)
            wrong.push(`${filter}${span}: ${total} ${(opLogs as unknown[]).length}`)
        }
    expect(wrong).toEqual([])
    expect(await list('module=test')).toMatchObject({ total: 48 })
    expect(await list('module=test', local)).toMatchObject({ total: 32 })
    expect(await list('startTime=2026-03-01T00:00:00Z&endTime=2026-03-02T00:00:00Z')).toMatchObject({ total: 12 })
    expect(await list('endTime=2026-03-05T00:00:00Z')).toMatchObject({ total: 48 })
    expect(await list('startTime=2026-03-05T00:00:00Z&endTime=2026-03-06T00:00:00Z')).toMatchObject({ total: 0 })
  })

  test('shows an enterprise its own lines only, detail included', async () => {
    const mine = await list('pageSize=199', local)
    expect(new Set((mine.opLogs as { departmentName: string }[]).map((row) => row.departmentName))).toEqual(
      new Set(['North']),
    )
    await server.request('PUT', config, { exportKeepDays: 4 }, admin)
    const { opLogs } = (await list('module=config&type=update')) as unknown as { opLogs: { id: number }[] }
    const id = opLogs[0]?.id
    expect((await get(`/api/v1/gateway/op-log/detail?id=${id}`, admin)).data).toMatchObject({
      id,
      hash: expect.stringMatching(/^[0-9a-f]{64}$/),
    })
    expect(await get(`/api/v1/gateway/op-log/detail?id=${id}`, local)).toMatchObject({ status: 404, code: 100017 })
  })
})

describe('the server itself', () => {
  test('says that it is up and ready', async () => {
    expect((await get('/healthz')).data).toEqual({ up: true })
    expect((await get('/readyz')).data).toEqual({ database: true, migrations: true, disk: true })
  })

  test('shows figures to its own machine only', async () => {
    const own = await raw('/metrics')
    expect(own.statusCode).toBe(200)
    expect(own.payload).toContain('campanile_http_request_duration_seconds_bucket')
    expect(own.payload).toContain('route="/api/v1/runtime"')
    expect(own.payload).toContain('campanile_database_connections{state="idle"}')
    expect(own.payload).toContain('campanile_nodejs_eventloop_lag_seconds')
    expect((await raw('/metrics', {}, '10.1.2.3')).statusCode).toBe(404)
    expect((await raw('/metrics', { 'x-forwarded-for': '127.0.0.1' })).statusCode).toBe(404)
  })

  test('documents every route it has and no other', async () => {
    const document = (await raw('/openapi.json')).json() as { paths: Record<string, Record<string, unknown>> }
    const described = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path.replace(/\{(\w+)\}/g, ':$1')}`),
    )
    const served = server.app.routesDeclared
      .filter(({ url }) => /^\/(api|device)\/v/.test(url))
      .map(({ method, url }) => `${method} ${url}`)
    expect(described.filter((route) => !served.includes(route)).sort()).toEqual([])
    expect(served.filter((route) => !described.includes(route)).sort()).toEqual([])
    expect((await raw('/docs')).headers['content-type']).toContain('text/html')
  })
})
