import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readSheet } from '../../platform/sheet/read.ts'
import { type Cell, writeWorkbook } from '../../platform/sheet/write.ts'
import { addDepartment, addRole, addUser, startTestApp, type TestApp, testPassword } from '../../test/app.ts'

let server: TestApp
let admin: { token: string }
let north: number
let south: number
let wards: number[]

const users = '/api/v1/oauth/users'
const depts = '/api/v1/oauth/depts'
const permissions = [
  'system:user:list',
  'system:user:add',
  'org:list:list',
  'org:list:add',
  'org:list:import',
  'iot:files:list',
  'iot:files:download',
]

beforeAll(async () => {
  server = await startTestApp()
  const { db } = server
  const root = await addDepartment(db, { name: 'Platform' })
  north = await addDepartment(db, { name: 'North', parentId: root, type: 1 })
  south = await addDepartment(db, { name: 'South', parentId: root, type: 1 })
  const east = await addDepartment(db, { name: 'East', parentId: north, type: 0 })
  wards = [
    await addDepartment(db, { name: 'Ward', parentId: north, type: 0 }),
    await addDepartment(db, { name: 'Ward', parentId: east, type: 0 }),
  ]
  const role = await addRole(db, { name: 'Keeper', departmentId: north, permissions })
  await addRole(db, { name: 'Keeper', departmentId: south, permissions })
  await addUser(db, { username: 'admin', departmentId: north, roleIds: [role] })
  admin = await server.signIn('admin')
})
afterAll(() => server.stop())

const bytesOf = async (headers: string[], rows: Cell[][]) => {
  const chunks: Buffer[] = []
  const sheet = { name: 'Sheet', columns: headers.map((header) => ({ header })), batches: [rows] }
  for await (const chunk of writeWorkbook([sheet])) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

const upload = async (path: string, file: Buffer, who = admin) => {
  const boundary = 'a-boundary'
  const head = `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="rows.xlsx"\r\ncontent-type: application/octet-stream\r\n\r\n`
  const response = await server.app.inject({
    method: 'POST',
    url: `${path}/import`,
    headers: { sessionid: who.token, 'content-type': `multipart/form-data; boundary=${boundary}` },
    payload: Buffer.concat([Buffer.from(head), file, Buffer.from(`\r\n--${boundary}--\r\n`)]),
  })
  return { status: response.statusCode, ...response.json() }
}

const headers = ['username', 'realName', 'departmentId', 'roleIds', 'type', 'mobile', 'password']
const good = (name: string, department = 'North'): Cell[] => [
  name,
  `${name} 名`,
  department,
  'Keeper',
  2,
  null,
  testPassword,
]

const check = async (rows: Cell[][], columns = headers) => upload(users, await bytesOf(columns, rows))

const run = async (importId: number, path = users) => {
  const started = await server.request('POST', `${path}/import/run`, { importId }, admin)
  expect(started.code).toBe(100000)
  const status = () => server.request('GET', `${path}/import/status?importId=${importId}`, undefined, admin)
  await expect.poll(async () => (await status()).data.state, { timeout: 25_000 }).toBe('done')
  return (await status()).data
}

const namesIn = async (names: string[]) => {
  const { rows } = await sql<{ username: string }>`select username from sys_user where username = any(${names})
    order by username`.execute(server.db)
  return rows.map((row) => row.username)
}

const download = async (fileId: unknown) => {
  const response = await server.app.inject({
    url: `/api/v1/exportFileLogs/download?id=${fileId}`,
    headers: { sessionid: admin.token },
  })
  return (await readSheet(response.rawPayload)).rows.map((row) => row.cells)
}

describe('checking a file', () => {
  test('names every error of every row and creates nothing', async () => {
    const answer = await check([
      good('first'),
      ['second', null, 'Nowhere', 'Keeper, Stranger', 'Emperor', '123', 'short'],
      good('FIRST'),
      [null, 'No name', 'Ward', 'Keeper', 2, null, testPassword],
    ])
    expect(answer.code).toBe(100000)
    expect(answer.data).toMatchObject({ total: 4, valid: 1 })
    const errors = answer.data.errors.map(({ row, field, code }: { row: number; field: string; code: number }) => [
      row,
      field,
      code,
    ])
    expect(errors).toEqual([
      [3, 'departmentId', 204041],
      [3, 'roleIds', 204041],
      [3, 'type', 100002],
      [3, 'realName', 100001],
      [3, 'mobile', 21265],
      [3, 'password', 21266],
      [4, 'username', 204040],
      [5, 'departmentId', 204042],
      [5, 'username', 21254],
    ])
    expect(answer.data.preview[0]).toMatchObject({ username: 'first', password: '***' })
    expect(await namesIn(['first', 'second', 'FIRST'])).toEqual([])
    // What waits for the run is kept; its password is sealed.
    const kept = await sql<{ text: string }>`select json_agg(r)::text as text from import_row r`.execute(server.db)
    expect(kept.rows[0]?.text).toContain('first')
    expect(kept.rows[0]?.text).not.toContain(testPassword)
  })

  test('refuses a file without rows, with unknown or missing columns, of another kind, and with too many rows', async () => {
    expect(await check([])).toMatchObject({ status: 400, code: 204015 })
    expect(await check([['x']], [...headers.slice(0, 5), 'shoeSize'])).toMatchObject({
      code: 204016,
      data: { column: 'shoeSize' },
    })
    expect(await check([['x']], ['username'])).toMatchObject({ code: 204016 })
    expect(await check([['x', 'y']], ['username', '__proto__'])).toMatchObject({ code: 204016 })
    expect(await upload(users, Buffer.from([0x50, 0x4b, 0, 1]))).toMatchObject({ code: 204003 })
    expect(await upload(users, Buffer.from('PK\u0003\u0004 cut off'))).toMatchObject({ code: 204017 })
    const many = Array.from({ length: 10_001 }, (_, index) => good(`many${index}`))
    expect(await check(many)).toMatchObject({ code: 204004, data: { limit: 10_000 } })
    expect(await server.request('POST', `${users}/import`, {}, admin)).toMatchObject({ code: 100001 })
  })

  test('leaves out the example of the template', async () => {
    const response = await server.app.inject({
      url: `${users}/import/template`,
      headers: { sessionid: admin.token, 'accept-language': 'zh-CN' },
    })
    expect(response.headers['content-type']).toContain('spreadsheetml')
    const { rows } = await readSheet(response.rawPayload)
    expect(rows).toHaveLength(2)
    expect(await upload(users, response.rawPayload)).toMatchObject({ code: 204015 })
  })
})

describe('running an import', () => {
  test('creates the right rows by the room’s own rules and gives the wrong ones back with a reason', async () => {
    const answer = await check([
      good('ann'),
      good('bob', 'North / East / Ward'),
      good('cid', 'South'),
      [...good('dee').slice(0, 6), null],
    ])
    expect(answer.data).toMatchObject({ total: 4, valid: 3 })
    const result = await run(answer.data.importId)
    expect(result).toMatchObject({ total: 4, done: 4, created: 3, failed: 1, skipped: 0, code: 30000 })
    expect(await namesIn(['ann', 'bob', 'cid', 'dee'])).toEqual(['ann', 'bob', 'dee'])
    const placed = await sql`select department_id from sys_user where username = 'bob'`.execute(server.db)
    expect(placed.rows).toEqual([{ department_id: wards[1] }])

    const sheet = await download(result.fileId)
    expect(sheet[0]).toEqual([...headers, 'Reason'])
    expect(sheet[1]?.[0]).toBe('cid')
    // A password is never given back, not even to whoever typed it.
    expect(JSON.stringify(sheet)).not.toContain(testPassword)
    expect(String(sheet[1]?.[7])).toContain('South')

    await expect(server.signIn('ann')).resolves.toMatchObject({ token: expect.any(String) })
    const lines = await sql`select description, after from op_log_now() where type = 'import' and route = 'job import'
      order by id`.execute(server.db)
    expect(lines.rows).toHaveLength(3)
    expect(JSON.stringify(lines.rows)).not.toContain(testPassword)
    const left = await sql`select 1 from import_row where run_id = ${answer.data.importId}`.execute(server.db)
    expect(left.rows).toEqual([])
  })

  test('a blank password is made up, works, and is told once in the result', async () => {
    const answer = await check([[...good('eve').slice(0, 6), null]])
    const result = await run(answer.data.importId)
    expect(result).toMatchObject({ created: 1, failed: 0 })
    expect(result).not.toHaveProperty('code')
    const [, row] = await download(result.fileId)
    expect(row?.[0]).toBe('eve')
    const password = String(row?.at(-1))
    await expect(server.signIn('eve', password)).resolves.toMatchObject({ token: expect.any(String) })
    const stored = await sql<{
      text: string
    }>`select (select json_agg(j) from job j)::text || (select json_agg(l) from op_log_now() l)::text
      || (select json_agg(r) from import_run r)::text as text`.execute(server.db)
    expect(stored.rows[0]?.text).not.toContain(password)
  })

  test('rows that are there already are told before anything is done, left out, and given back with the reason', async () => {
    expect(await run((await check([good('fay'), good('gus')])).data.importId)).toMatchObject({ created: 2, skipped: 0 })
    const again = await check([good('fay'), good('GUS'), good('gil')])
    expect(again.data).toMatchObject({ total: 3, valid: 1, existing: 2 })
    expect(again.data.errors).toMatchObject([
      { row: 2, field: 'username', code: 204047 },
      { row: 3, field: 'username', code: 204047 },
    ])
    // What was said of a row is done, also when it has gone meanwhile.
    await sql`update sys_user set username = 'fay.before' where username = 'fay'`.execute(server.db)
    const result = await run(again.data.importId)
    expect(result).toMatchObject({ created: 1, skipped: 2, failed: 0 })
    expect(await namesIn(['fay', 'gil'])).toEqual(['gil'])
    const [, ...left] = await download(result.fileId)
    expect(left.map((row) => row[0])).toEqual(['fay', 'GUS'])
    expect(left.map((row) => String(row[7]))).toEqual(Array(2).fill(expect.stringContaining('exists already')))
  })

  test('what a cell does not take is told by the names on the sheet, with what it would take', async () => {
    const wrong = [...good('ivy')]
    wrong[headers.indexOf('type')] = 'Captain'
    const { data } = await check([wrong])
    expect(data.errors).toMatchObject([{ row: 2, message: expect.stringMatching(/Auditor/) }])
  })

  test('starts once, and only for whoever checked the file', async () => {
    const { data } = await check([good('hal')])
    const other = await addRole(server.db, { departmentId: north, permissions })
    await addUser(server.db, { username: 'other', departmentId: north, roleIds: [other] })
    const stranger = await server.signIn('other')
    expect(await server.request('POST', `${users}/import/run`, { importId: data.importId }, stranger)).toMatchObject({
      code: 204043,
    })
    const both = await Promise.all(
      [1, 2].map(() => server.request('POST', `${users}/import/run`, { importId: data.importId }, admin)),
    )
    expect(both.map((answer) => answer.code).sort()).toEqual([100000, 204044])
  })

  test('rights lost after the check create nothing', async () => {
    const role = await addRole(server.db, { departmentId: north, permissions })
    const id = await addUser(server.db, { username: 'former', departmentId: north, roleIds: [role] })
    const former = await server.signIn('former')
    const { data } = await upload(users, await bytesOf(headers, [good('ivy')]), former)
    // Disabled between the button and the job: taken away before the job can begin.
    await server.db.transaction().execute(async (tx) => {
      await sql`update import_run set state = 'running' where id = ${data.importId}`.execute(tx)
      await sql`delete from user_role where user_id = ${id}`.execute(tx)
      const job = { runId: data.importId, resource: 'user', userId: id, operating: null }
      const caller = { ip: '127.0.0.1', host: 'x', userAgent: 'x', language: 'en', origin: 'x' }
      await sql`insert into job (kind, payload) values ('import', ${JSON.stringify({ ...job, caller })}::jsonb)`.execute(
        tx,
      )
      await sql`select pg_notify('campanile_job', '')`.execute(tx)
    })
    const state = async () =>
      (
        await sql<{
          state: string
          failed: number
        }>`select state, failed from import_run where id = ${data.importId}`.execute(server.db)
      ).rows[0]
    await expect.poll(async () => (await state())?.state, { timeout: 20_000 }).toBe('done')
    expect(await state()).toMatchObject({ failed: 1 })
    expect(await namesIn(['ivy'])).toEqual([])
  })

  test('organisations are imported under the parent that is named', async () => {
    const file = await bytesOf(
      ['name', 'type', 'parentId'],
      [
        ['Stores', '0', 'North'],
        ['Stores', '0', 'North / East'],
        ['Stores', '0', 'South'],
      ],
    )
    const answer = await upload(depts, file)
    expect(answer.data).toMatchObject({ total: 3, valid: 2 })
    expect(await run(answer.data.importId, depts)).toMatchObject({ created: 2, failed: 1 })
  })

  test('a file may bring a whole tree, in any order', async () => {
    const file = await bytesOf(
      ['name', 'type', 'parentId'],
      [
        ['Shelf', '0', 'Hall / Aisle'],
        ['Aisle', '0', 'Hall'],
        ['Hall', '0', 'North'],
        ['Yard', '0', 'North'],
        ['Aisle', '0', 'Yard'],
      ],
    )
    const answer = await upload(depts, file)
    expect(answer.data).toMatchObject({ total: 5, valid: 5, errors: [] })
    expect(await run(answer.data.importId, depts)).toMatchObject({ created: 5, failed: 0 })
    const { rows } = await sql<{ way: string }>`select string_agg(step.name, ' / ' order by nlevel(step.path)) as way
      from department shelf join department step on step.path @> shelf.path where shelf.name = 'Shelf'`.execute(
      server.db,
    )
    expect(rows[0]?.way).toMatch(/North \/ Hall \/ Aisle \/ Shelf$/)
    const again = await upload(depts, file)
    expect(await run(again.data.importId, depts)).toMatchObject({ created: 0, failed: 0, skipped: 5 })
  })

  test('rows below a wrong one, in a circle or of a type that may not stand there are told before anything is made', async () => {
    const file = await bytesOf(
      ['name', 'type', 'parentId'],
      [
        ['Wrong', '99', 'North'],
        ['Below wrong', '0', 'Wrong'],
        ['Hen', '0', 'Egg'],
        ['Egg', '0', 'Hen'],
        ['Team', '0', 'North'],
        ['Enterprise below a team', '1', 'Team'],
        ['Twin', '0', 'North'],
        ['Twin', '0', 'Team'],
        ['Child of twins', '0', 'Twin'],
      ],
    )
    const { data } = await upload(depts, file)
    const told = (data.errors as { row: number; field: string; code: number }[]).map(({ row, field, code }) => [
      row,
      field,
      code,
    ])
    expect(told).toEqual([
      [2, 'type', expect.any(Number)],
      [3, 'parentId', 204041],
      [4, 'parentId', 204041],
      [5, 'parentId', 204041],
      [7, expect.anything(), expect.any(Number)],
      [10, 'parentId', 204042],
    ])
    expect(await run(data.importId, depts)).toMatchObject({ created: 3, failed: 6 })
  })
})
