import { activate, createCodes } from '@campanile/contract'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readSheet } from '../../platform/sheet/read.ts'
import { addDepartment, addRole, addUser, startTestApp, type TestApp } from '../../test/app.ts'

const perms = (...verbs: string[]) => verbs.map((verb) => `activation:code:${verb}`)
const files = ['iot:files:list', 'iot:files:download']
let server: TestApp
let north: number
let south: number
let root: number
/** May hand codes out in the north, and read the list everywhere. */
let keeper: string
/** May read and make, and hand nothing out. */
let maker: string

const sign = async (username: string, roles: Parameters<typeof addRole>[1][]) => {
  const roleIds = await Promise.all(roles.map((role) => addRole(server.db, role)))
  await addUser(server.db, { username, departmentId: root, roleIds })
  return (await server.signIn(username)).token
}

beforeAll(async () => {
  server = await startTestApp()
  root = await addDepartment(server.db, { name: 'Root' })
  north = await addDepartment(server.db, { name: 'North', parentId: root, type: 0 })
  south = await addDepartment(server.db, { name: 'South', parentId: root, type: 0 })
  keeper = await sign('keeper', [
    { departmentId: root, permissions: [...perms('list', 'export', 'add'), ...files] },
    { departmentId: root, permissions: perms('qr'), on: [north] },
  ])
  maker = await sign('maker', [{ departmentId: root, permissions: [...perms('list', 'export', 'add'), ...files] }])
})
afterAll(() => server.stop())

const make = (codes: string, token: string, departmentId: number) =>
  server.call(createCodes, { codes, departmentId }, { token })
const list = async (token: string, query = '') => {
  const { data } = await server.request('GET', `/api/v3/device/FSK/list?sort=sn${query}`, undefined, { token })
  return data as { rows: { sn: string; activationCode: string; qrData: string }[]; total: number }
}
const exported = async (token: string, filters: object) => {
  const { data } = await server.request('POST', '/api/v3/device/FSK/export', { filters }, { token })
  const state = () => sql<{ state: string }>`select state from export_file where id = ${data.fileId}`.execute(server.db)
  await expect.poll(async () => (await state()).rows[0]?.state, { timeout: 30_000 }).toBe('complete')
  const { rawPayload } = await server.app.inject({
    url: `/api/v1/exportFileLogs/download?id=${String(data.fileId)}`,
    headers: { sessionid: token },
  })
  return JSON.stringify((await readSheet(rawPayload)).rows)
}

describe('a code is shown to whoever may hand it out', () => {
  beforeAll(async () => {
    await make('SHOW-N;north-code-1;;', keeper, north)
    await make('SHOW-S;south-code-1;001122334455;', keeper, south)
  })

  it('in the list, and masked for everybody else', async () => {
    expect((await list(keeper, '&sn=SHOW')).rows).toMatchObject([
      { sn: 'SHOW-N', activationCode: 'north-code-1', qrData: 'SHOW-N;north-code-1;;' },
      { sn: 'SHOW-S', activationCode: '***', qrData: 'SHOW-S;***;001122334455;' },
    ])
    expect((await list(maker, '&sn=SHOW')).rows.map(({ activationCode }) => activationCode)).toEqual(['***', '***'])
  })

  it('in an exported file', async () => {
    const own = await exported(keeper, { sn: 'SHOW' })
    expect(own).toContain('north-code-1')
    expect(own).not.toContain('south-code-1')
    expect(await exported(maker, { sn: 'SHOW' })).not.toMatch(/(north|south)-code-1/)
  })

  it('in the answer that made it', async () => {
    const given = await make('MADE-N;made-code-01;;', keeper, north)
    expect(given.data.codes).toMatchObject([{ activationCode: 'made-code-01' }])
    const kept = await make('MADE-S;made-code-02;;\nMADE-T', keeper, south)
    expect(kept.data.codes).toMatchObject([
      { activationCode: '***', qrData: 'MADE-S;***;;' },
      { activationCode: '***' },
    ])
  })

  it('when it is looked for, whole; nobody else learns that it exists', async () => {
    const found = async (token: string, code: string) => (await list(token, `&activationCode=${code}`)).total
    expect(await found(keeper, 'north-code-1')).toBe(1)
    expect(await found(keeper, '%22north-code-1%22')).toBe(1)
    expect(await found(keeper, 'north-code')).toBe(0)
    expect(await found(keeper, 'south-code-1')).toBe(0)
    expect(await found(maker, 'north-code-1')).toBe(0)
    const searched = await exported(maker, { activationCode: 'north-code-1' })
    expect(searched).not.toContain('SHOW-N')
    const { rows } = await sql<{ text: string }>`select coalesce(after::text, '') || coalesce(description, '') as text
      from op_log_now()`.execute(server.db)
    expect(rows.filter(({ text }) => text.includes('north-code-1'))).toEqual([])
  })
})

describe('a code at rest', () => {
  it('is sealed, and the start seals those of an older version', async () => {
    await make('REST-1;rest-code-01;;', keeper, north)
    await sql`insert into activation_code (sn, activation_code, department_id)
      values ('REST-2', 'old!', ${north}), ('REST-3', 'old-code-3', ${north})`.execute(server.db)
    // Good before it is sealed, too.
    expect(await server.call(activate, { sn: 'REST-3', code: 'old-code-3' })).toMatchObject({ code: 100000 })
    expect(await make('REST-2;old-code-2;;\nREST-3;old-code-3;;', keeper, north)).toMatchObject({
      code: 204031,
      data: { line: 2 },
    })
    const again = await startTestApp({ database: server.database, secrets: server.secrets })
    try {
      const { rows } = await sql<{ row: string }>`select row_to_json(t)::text as row from activation_code t
        where sn like 'REST-%'`.execute(server.db)
      expect(rows).toHaveLength(3)
      expect(rows.filter(({ row }) => /rest-code-01|old!|old-code-3/.test(row))).toEqual([])
    } finally {
      await again.close()
    }
    expect((await list(keeper, '&sn=REST')).rows.map(({ activationCode }) => activationCode)).toEqual([
      'rest-code-01',
      'old!',
      'old-code-3',
    ])
    // However short it is: what stands on labels already keeps its worth.
    expect(await server.call(activate, { sn: 'REST-2', code: 'old!' })).toMatchObject({ code: 100000 })
  })
})
