import { createHash } from 'node:crypto'
import { activate, codeLabels, createCodes } from '@campanile/contract'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { type Cell, writeWorkbook } from '../../platform/sheet/write.ts'
import { addDepartment, addRole, addUser, startTestApp, type TestApp } from '../../test/app.ts'
import { addShippedCodes } from '../system/index.ts'

const permissions = ['list', 'add', 'batch', 'qr', 'delete', 'export'].map((verb) => `activation:code:${verb}`)
let server: TestApp
let alder: { id: number; token: string }
let birch: { id: number; token: string }

beforeAll(async () => {
  server = await startTestApp()
  await addShippedCodes(server.db)
  const root = await addDepartment(server.db, { name: 'Root' })
  const found = async (name: string) => {
    const id = await addDepartment(server.db, { name, parentId: root })
    const role = await addRole(server.db, { departmentId: id, permissions })
    await addUser(server.db, { username: name, departmentId: id, roleIds: [role] })
    return { id, token: (await server.signIn(name)).token }
  }
  alder = await found('alder')
  birch = await found('birch')
})
afterAll(() => server.stop())

const make = (codes: string, { token }: { token: string }, more = {}) =>
  server.call(createCodes, { codes, ...more }, { token })
const use = (sn: string, code: string, headers = {}) => server.call(activate, { sn, code }, { headers })

describe('a code', () => {
  it('lets its device join once, in the organisation that made it', async () => {
    await make('JOIN-1;code-0001;;', alder, { deviceType: 3 })
    const answer = await use('JOIN-1', 'code-0001', { host: 'fleet.example:8080' })
    expect(answer).toMatchObject({
      code: 100000,
      data: { username: 'JOIN-1', mqttUrl: expect.stringContaining('mqtt://fleet.example:') },
    })
    const { rows } = await sql<{ departmentId: number; deviceType: number; hash: Buffer; status: number }>`
      select department_id as "departmentId", device_type as "deviceType", credential_hash as hash,
        activation_status as status from device where sn = 'JOIN-1'`.execute(server.db)
    const hash = createHash('sha256').update(String(answer.data.password)).digest()
    expect(rows).toEqual([{ departmentId: alder.id, deviceType: 3, hash, status: 2 }])
    expect(await use('JOIN-1', 'code-0001')).toMatchObject({ code: 204032 })
  })

  it.each(['fleet example', 'a@b/c?d#', 'x:y:z', '<script>', 'fleet.example:99999'])(
    'is not wasted on a device that names us as %s, and nothing of that comes back',
    async (host) => {
      const sn = `HOST-${host.length}-${host.charCodeAt(1)}`
      await make(`${sn};code-0002;;`, alder)
      const { code, data } = await use(sn, 'code-0002', { host })
      expect(code).toBe(100000)
      expect(String(data.mqttUrl)).toMatch(/^mqtt:\/\/(127\.0\.0\.1|localhost):\d+$/)
    },
  )

  it('is won by exactly one of many that use it at the same time', async () => {
    await make('RACE-1;code-race;;', alder)
    const answers = await Promise.all(Array.from({ length: 20 }, () => use('RACE-1', 'code-race')))
    expect(answers.filter(({ code }) => code === 100000)).toHaveLength(1)
    // The others are told so, until they have asked too often.
    expect(answers.filter(({ code }) => code === 204032 || code === 204036)).toHaveLength(19)
  })

  it('replaces the credential of a device that comes back, and leaves it where it is', async () => {
    await make('BACK-1;code-first;;', alder)
    await use('BACK-1', 'code-first')
    await make('BACK-1;code-again;;', alder)
    expect(await use('BACK-1', 'code-again')).toMatchObject({ code: 100000 })
    const { rows } = await sql`select credential_version as version from device where sn = 'BACK-1'`.execute(server.db)
    expect(rows).toEqual([{ version: 1 }])
  })

  it('counts alone: one that is made, or used, voids those that were made before', async () => {
    for (const code of ['code-old-1', 'code-old-2', 'code-new-3']) await make(`ONE-1;${code};;`, alder)
    expect(await use('ONE-1', 'code-old-1')).toMatchObject({ code: 204007 })
    expect(await use('ONE-1', 'code-new-3')).toMatchObject({ code: 100000 })
    expect(await use('ONE-1', 'code-old-2')).toMatchObject({ code: 204007 })
  })

  it('of a device that is bound is made by those alone who may hand codes out', async () => {
    await make('BOUND-1;code-first;;', alder)
    await use('BOUND-1', 'code-first')
    const role = await addRole(server.db, { departmentId: alder.id, permissions: ['activation:code:add'] })
    await addUser(server.db, { username: 'maker', departmentId: alder.id, roleIds: [role] })
    const maker = await server.signIn('maker')
    const refused = await make('BOUND-1;code-mine-1;;\nBARE-1', maker)
    expect(refused).toMatchObject({ code: 204035, data: { sn: 'BOUND-1' } })
    expect(await use('BOUND-1', 'code-mine-1')).toMatchObject({ code: 204033 })
    expect(await make('BARE-1', maker)).toMatchObject({ code: 100000 })
    // Unbound, it belongs to nobody and may be given a code like any other.
    await sql`update device set credential_hash = null, activation_status = 1 where sn = 'BOUND-1'`.execute(server.db)
    expect(await make('BOUND-1;code-mine-2;;', maker)).toMatchObject({ code: 100000 })
  })

  it('that takes the place of a bound device is told to those who make codes there', async () => {
    const told = async () =>
      (
        await sql<{ sn: string; username: string }>`select n.data ->> 'sn' as sn, u.username from notification n
          join sys_user u on u.id = n.user_id where n.data ->> 'sn' = 'AGAIN-1' order by 2`.execute(server.db)
      ).rows
    await make('AGAIN-1;code-first;;', alder)
    await use('AGAIN-1', 'code-first')
    expect(await told()).toEqual([])
    await make('AGAIN-1;code-again;;', alder)
    await use('AGAIN-1', 'code-again')
    await vi.waitFor(async () => expect(await told()).toContainEqual({ sn: 'AGAIN-1', username: 'alder' }), 30_000)
    expect((await told()).map(({ username }) => username)).not.toContain('birch')
  })

  it.each([
    ['', 'x', 30101],
    ['no/slash', 'x', 204010],
    ['x'.repeat(65), 'x', 204010],
    ['NEVER', 'unknown-code', 204033],
    ['OTHER', 'code-wrong', 204033],
    ['LATE-1', 'code-late', 204007],
  ])('is refused for %s with %s', async (sn, code, expected) => {
    await make('OWNER;code-wrong;;\nLATE-1;code-late;;', alder)
    await sql`update activation_code set expire_time = now() - interval '1 second' where sn = 'LATE-1'`.execute(
      server.db,
    )
    expect(await use(sn, code)).toMatchObject({ code: expected })
  })

  it('of one organisation cannot take over a device of another', async () => {
    await make('MINE-1;code-mine;;', alder)
    const { data } = await use('MINE-1', 'code-mine')
    expect(await make('FREE-1;good-code;;\nMINE-1;code-evil;;', birch)).toMatchObject({
      code: 204014,
      data: { line: 2, sn: 'MINE-1' },
    })
    await sql`insert into activation_code (sn, activation_code, department_id) values ('MINE-1', 'smuggled', ${birch.id})`.execute(
      server.db,
    )
    expect(await use('MINE-1', 'smuggled')).toMatchObject({ code: 204014 })
    const { rows } = await sql<{
      hash: Buffer
    }>`select credential_hash as hash from device where sn = 'MINE-1'`.execute(server.db)
    expect(rows[0]?.hash.equals(createHash('sha256').update(String(data.password)).digest())).toBe(true)
  })
})

describe('a batch of codes', () => {
  const list = async ({ token }: { token: string }, query = '') => {
    const { data } = await server.request('GET', `/api/v3/device/FSK/list?pageSize=199${query}`, undefined, { token })
    return data as {
      rows: { id: number; sn: string; activationCode: string; qrData: string; used: boolean }[]
      total: number
    }
  }

  it('is stored whole or not at all, and names every wrong line', async () => {
    const answer = await make('WHOLE-1;code-w001;;\nWHOLE-2;nope\n\nWHOLE-1', alder)
    expect(answer).toMatchObject({
      code: 204030,
      data: {
        line: 2,
        lines: [
          { line: 2, code: 204030 },
          { line: 4, code: 204002 },
        ],
      },
    })
    expect((await list(alder, '&sn=WHOLE')).total).toBe(0)
  })

  it('answers a code for a serial number alone and refuses one that is there already', async () => {
    const answer = await make('ALONE-1\nALONE-2;code-a002;001122334455;', alder)
    const [first, second] = (answer.data as { codes: { sn: string; activationCode: string; qrData: string }[] }).codes
    expect(first?.activationCode).toMatch(/^[2-9A-Z]{16}$/)
    expect(second?.qrData).toBe('ALONE-2;code-a002;001122334455;')
    expect(await make('ALONE-3\nALONE-2;code-a002;;', alder)).toMatchObject({ code: 204031, data: { line: 2 } })
    const { rows } = await list(alder, '&sn=ALONE')
    expect(rows.map(({ sn }) => sn).sort()).toEqual(['ALONE-1', 'ALONE-2'])
  })

  it('is seen and deleted by its organisation alone', async () => {
    await make('SEEN-1;code-s001;;', alder)
    const [row] = (await list(alder, '&sn=SEEN-1')).rows
    expect(row).toMatchObject({ used: false, qrData: 'SEEN-1;code-s001;;' })
    expect((await list(birch, '&sn=SEEN-1')).total).toBe(0)
    const remove = (token: string) =>
      server.request('DELETE', '/api/v3/device/FSK/delete', { ids: [row?.id] }, { token })
    expect(await remove(birch.token)).toMatchObject({ code: 100017 })
    expect(await remove(alder.token)).toMatchObject({ code: 100000 })
    expect(await use('SEEN-1', 'code-s001')).toMatchObject({ code: 204033 })
  })

  it('comes from a sheet as well, with the row of each fault', async () => {
    const sheet = async (rows: Cell[][], query = '') => {
      const chunks: Buffer[] = []
      const columns = ['sn', 'code', 'mac'].map((header) => ({ header }))
      for await (const chunk of writeWorkbook([{ name: 'S', columns, batches: [rows] }])) chunks.push(chunk as Buffer)
      const head =
        '--b\r\ncontent-disposition: form-data; name="file"; filename="a.xlsx"\r\ncontent-type: application/octet-stream\r\n\r\n'
      const response = await server.app.inject({
        method: 'POST',
        url: `/api/v3/device/FSK/importFile${query}`,
        headers: { sessionid: alder.token, 'content-type': 'multipart/form-data; boundary=b' },
        payload: Buffer.concat([Buffer.from(head), ...chunks, Buffer.from('\r\n--b--\r\n')]),
      })
      return response.json()
    }
    const bad = await sheet([
      ['SHEET-1', 'code-x001'],
      ['SHEET/2', 'code-x002'],
      ['SHEET-1', null],
    ])
    expect(bad).toMatchObject({
      code: 204030,
      data: {
        line: 3,
        lines: [
          { line: 3, code: 204030 },
          { line: 4, code: 204002 },
        ],
      },
    })
    expect((await list(alder, '&sn=SHEET')).total).toBe(0)
    const good = await sheet(
      [
        ['SHEET-1', 'code-x001'],
        ['SHEET-2', null],
      ],
      '?validDays=30',
    )
    expect(good).toMatchObject({ code: 100000, data: { created: 2, codes: [{ qrData: 'SHEET-1;code-x001;;' }, {}] } })
    expect((await list(alder, '&sn=SHEET')).rows[0]).toMatchObject({ expireTime: expect.any(String) })
  })

  it('gives labels in the order asked for, and none when one is out of reach', async () => {
    const { data } = await make('LABEL-1;code-l001;;\nLABEL-2;code-l002;;', alder)
    const ids = (data as { codes: { id: number }[] }).codes.map(({ id }) => id).reverse()
    const labels = (token: string) => server.call(codeLabels, { ids }, { token })
    expect((await labels(alder.token)).data).toEqual({
      rows: ['2', '1'].map((n, at) => ({
        id: ids[at],
        sn: `LABEL-${n}`,
        activationCode: `code-l00${n}`,
        qrData: `LABEL-${n};code-l00${n};;`,
      })),
    })
    expect(await labels(birch.token)).toMatchObject({ status: 404 })
  })

  it('tells which device joined with a code', async () => {
    await make('KNOWN-1;code-k001;;\nKNOWN-2;code-k002;;', alder)
    await use('KNOWN-1', 'code-k001')
    const { rows } = await list(alder, '&sn=KNOWN&sort=sn')
    expect(rows).toMatchObject([
      { used: true, deviceSn: 'KNOWN-1' },
      { used: false, deviceSn: null },
    ])
    expect((await list(alder, '&sn=KNOWN&used=true')).total).toBe(1)
  })

  it('goes to no organisation out of reach', async () => {
    expect(await make('REACH-1', birch, { departmentId: alder.id })).toMatchObject({ code: 204013 })
    expect(await make('REACH-1', alder, { deviceType: 500 })).toMatchObject({ code: 204012 })
  })
})

describe('whoever writes a client', () => {
  const asked = async (body: string, type = 'application/json', path: string = activate.path, language = 'en') => {
    const headers = { 'content-type': type, 'accept-language': language }
    const response = await server.app.inject({ method: 'POST', url: path, headers, payload: body })
    return response.json<{ code: number; message: string }>()
  }

  it.each([
    ['no JSON', '{"sn": ', 100003, /JSON object in UTF-8.*Content-Type: application\/json/],
    ['a list', '[1]', 100002, /docs\/device-protocol\.md/],
    ['nothing', '', 100003, /JSON object/],
    ['a field nobody knows', '{"sn":"A","code":"B","colour":"red"}', 100009, /no field “colour”/],
    ['a field of another kind', '{"sn":"A","code":5}', 100002, /“code”.*docs\/device-protocol\.md/],
    ['far too much', `"${'x'.repeat(1_100_000)}"`, 100007, /larger than this address takes/],
  ])('is told what to send instead of %s, and never to reload a page', async (_, body, code, words) => {
    const answer = await asked(body)
    expect(answer).toMatchObject({ code, message: expect.stringMatching(words) })
    expect(answer.message).not.toMatch(/reload|page|try again|your entries/i)
  })

  it('is told so for another type of body, another address and in other languages', async () => {
    expect((await asked('sn=A', 'application/x-www-form-urlencoded')).message).toContain('application/json')
    expect((await asked('{}', 'application/json', '/device/v1/activation')).message).toContain(
      'docs/device-protocol.md',
    )
    expect((await asked('{', 'application/json', activate.path, 'zh-CN')).message).toContain('JSON 对象')
    expect((await asked('{', 'application/json', activate.path, 'zh-TW')).message).toContain('JSON 物件')
  })
})
