import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readSheet } from '../../platform/sheet/read.ts'
import { addDepartment, addRole, addUser, newsTold, startTestApp, type TestApp } from '../../test/app.ts'

let server: TestApp
let dataDir: string
let north: number
let south: number
let officer: { id: number; token: string }
let stranger: { id: number; token: string }

const rights = ['list', 'add', 'export'].map((verb) => `notice:announcement:${verb}`)
const fileRights = ['list', 'download', 'delete'].map((verb) => `iot:files:${verb}`)

const person = async (username: string, departmentId: number) => {
  const role = await addRole(server.db, { departmentId, permissions: [...rights, ...fileRights] })
  const id = await addUser(server.db, { username, departmentId, roleIds: [role] })
  return { id, token: (await server.signIn(username)).token }
}

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'campanile-export-'))
  server = await startTestApp({ dataDir })
  const root = await addDepartment(server.db, { name: 'Platform' })
  north = await addDepartment(server.db, { name: 'North', parentId: root, type: 1 })
  south = await addDepartment(server.db, { name: 'South', parentId: root, type: 1 })
  officer = await person('officer', north)
  stranger = await person('stranger', south)
})
afterAll(async () => {
  await server.stop()
  await rm(dataDir, { recursive: true })
})

const announce = (title: string, departmentId: number, more: object = {}) =>
  server.request(
    'POST',
    '/api/v1/announcement/create',
    { title, text: 'text', departmentId, ...more },
    departmentId === south ? stranger : officer,
  )

const exportAs = (who: { token: string }, body: object) =>
  server.request('POST', '/api/v1/announcement/export', body, who)

const fileOf = async (id: unknown) => {
  const { rows } = await sql<Record<string, unknown>>`select * from export_file where id = ${id}`.execute(server.db)
  return rows[0]
}

const finished = async (id: unknown) => {
  await expect.poll(async () => (await fileOf(id))?.state, { timeout: 20_000 }).not.toBe('inProgress')
  return fileOf(id)
}

const download = (who: { token: string }, id: unknown) =>
  server.app.inject({ url: `/api/v1/exportFileLogs/download?id=${id}`, headers: { sessionid: who.token } })

test('an export becomes a file of exactly the rows its maker sees, and tells them', async () => {
  await announce('=HYPERLINK("http://x","y")', north)
  await announce('Plain 通告', north, { validUntil: '2026-01-31T16:30:00Z', level: 'important' })
  await announce('Secret of the south', south)

  const started = await exportAs(officer, {
    columns: ['title', 'level', 'departmentId', 'validUntil'],
    sort: 'title',
    timeZone: 'Asia/Shanghai',
  })
  expect(started.code).toBe(100000)
  const { fileId, fileName } = started.data
  expect(fileName).toMatch(/\.xlsx$/)
  expect(await finished(fileId)).toMatchObject({
    state: 'complete',
    row_count: 2,
    creator_id: officer.id,
    private: true,
  })

  const answer = await download(officer, fileId)
  expect(answer.statusCode).toBe(200)
  expect(answer.headers['x-content-type-options']).toBe('nosniff')
  expect(answer.headers['content-disposition']).toMatch(/^attachment; /)
  const { rows } = await readSheet(answer.rawPayload)
  expect(rows.map((row) => row.cells[0])).toEqual([expect.any(String), '=HYPERLINK("http://x","y")', 'Plain 通告'])
  // 2026-02-01 00:30 in Shanghai
  expect(rows[2]?.cells[3]).toBe('2026-02-01 00:30:00')
  expect(rows[1]?.cells[2]).toBe('North')

  await newsTold(server.db)
  const news = await sql`select type, title, data from notification
    where user_id = ${officer.id} and type = 'export'`.execute(server.db)
  expect(news.rows).toEqual([
    { type: 'export', title: 'exportDone', data: { fileName, rows: 2, file: expect.anything() } },
  ])
  const lines = await sql`select result, description from op_log_now() where type = 'export' order by id`.execute(
    server.db,
  )
  expect(lines.rows).toEqual([
    { result: 'success', description: fileName },
    { result: 'success', description: `${fileName}: 2` },
  ])
})

const pathOf = (file: Record<string, unknown> | undefined) => {
  const key = String(file?.stored_as)
  return join(dataDir, 'files', key.slice(0, 2), key)
}

const list = async (who: { token: string }) =>
  (await server.request('GET', '/api/v1/exportFileLogs/list', undefined, who)).data.exportFileLogs as {
    id: number
    state: string
    expireTime: string
  }[]

test('a file is its maker’s alone: nobody else lists, downloads or deletes it', async () => {
  const { data } = await exportAs(officer, {})
  await finished(data.fileId)
  const root = await addRole(server.db, { departmentId: north, permissions: [...rights, ...fileRights] })
  await addUser(server.db, { username: 'colleague', departmentId: north, roleIds: [root] })
  const colleague = await server.signIn('colleague')
  for (const who of [stranger, colleague]) {
    expect((await list(who)).map((file) => file.id)).not.toContain(data.fileId)
    expect((await download(who, data.fileId)).json()).toMatchObject({ code: 205000 })
    const removal = await server.request('DELETE', '/api/v1/exportFileLogs/delete', { ids: [data.fileId] }, who)
    expect(removal).toMatchObject({ status: 404, code: 100017 })
  }
  expect((await list(officer)).map((file) => file.id)).toContain(data.fileId)
})

test('rows that were chosen, rows that were not, and filters decide what is inside', async () => {
  const titles = async (body: object) => {
    // Nobody asks for so many at once.
    await sql`delete from rate_limit`.execute(server.db)
    const { data } = await exportAs(officer, { columns: ['title'], sort: 'title', ...body })
    await finished(data.fileId)
    const { rows } = await readSheet((await download(officer, data.fileId)).rawPayload)
    return rows.slice(1).map((row) => row.cells[0])
  }
  const rows = (await server.request('GET', '/api/v1/announcement/list?sort=title', undefined, officer)).data.rows as {
    id: number
    title: string
  }[]
  const [first, second] = rows
  expect(await titles({ flag: 1, ids: [second?.id] })).toEqual([second?.title])
  expect(await titles({ ids: [second?.id] })).toEqual([second?.title])
  expect(await titles({ ids: [first?.id, second?.id], filters: { title: second?.title } })).toEqual([second?.title])
  expect(await titles({ flag: 0, ids: [second?.id] })).toEqual([first?.title, second?.title])
  expect(await titles({ except: [second?.id] })).toEqual([first?.title])
  expect(await titles({ filters: { level: 'important' } })).toEqual(['Plain 通告'])
  expect(await titles({ filters: { title: 'no such title' } })).toEqual([])
  // An id of another enterprise does not widen the choice.
  const foreign = await sql<{ id: number }>`select id from announcement where department_id = ${south}`.execute(
    server.db,
  )
  expect(await titles({ flag: 1, ids: foreign.rows.map((row) => row.id) })).toEqual([])
})

test.each([
  [{ flag: 1 }, 100001, 'ids'],
  [{ ids: [] }, 100001, 'ids'],
  [{ columns: ['title', 'creatorId'] }, 100002, 'columns.1'],
  [{ sort: 'text' }, 100002, 'sort'],
  [{ timeZone: 'Mars/Olympus' }, 100002, 'timeZone'],
  [{ filters: { departmentName: 'x' } }, 100009, 'departmentName'],
])('a wrong request is refused with its field: %j', async (body, code, field) => {
  expect(await exportAs(officer, body)).toMatchObject({ status: 400, code, data: { field } })
})

test('rights that are gone when the job runs make an abnormal file that says so', async () => {
  const role = await addRole(server.db, { departmentId: north, permissions: [...rights, ...fileRights] })
  const id = await addUser(server.db, { username: 'leaver', departmentId: north, roleIds: [role] })
  const leaver = await server.signIn('leaver')
  // The queue stands still until the rights are gone.
  await server.db.transaction().execute(async (tx) => {
    await sql`select pg_advisory_xact_lock(hashtext('campanile_job'))`.execute(tx)
    const { data } = await exportAs(leaver, {})
    await sql`delete from user_role where user_id = ${id}`.execute(server.db)
    expect(await fileOf(data.fileId)).toMatchObject({ state: 'inProgress' })
  })
  const { rows } = await sql<{ id: number }>`select id from export_file where creator_id = ${id}`.execute(server.db)
  expect(await finished(rows[0]?.id)).toMatchObject({
    state: 'abnormal',
    size: null,
    description: expect.stringMatching(/permission/i),
  })
  await newsTold(server.db)
  const told = await sql`select title from notification where user_id = ${id}`.execute(server.db)
  expect(told.rows).toEqual([{ title: 'exportFailed' }])
  const lines = await sql`select result, code from op_log_now() where user_id = ${id} and route = 'job export'`.execute(
    server.db,
  )
  expect(lines.rows).toEqual([{ result: 'failed', code: 100013 }])
})

test('a job that dies half-way is done again and leaves one file', async () => {
  const { data } = await exportAs(officer, {})
  const done = await finished(data.fileId)
  // As a crash before the last commit would leave it.
  await sql`update export_file set state = 'inProgress', size = null, row_count = null where id = ${data.fileId}`.execute(
    server.db,
  )
  await sql`update job set state = 'running', leased_until = now() where payload ->> 'fileId' = ${String(data.fileId)}`.execute(
    server.db,
  )
  await sql`select pg_notify('campanile_job', '')`.execute(server.db)
  const again = await finished(data.fileId)
  expect(again).toMatchObject({ state: 'complete', stored_as: done?.stored_as, size: done?.size })
})

test('deleting a file removes its bytes, and a name cannot break the header it is sent in', async () => {
  const { data } = await exportAs(officer, {})
  const file = await finished(data.fileId)
  expect((await stat(pathOf(file))).size).toBe(file?.size)
  const name = 'a"b\r\nset-cookie: x=1; 通告\\.xlsx'
  await sql`update export_file set name = ${name} where id = ${data.fileId}`.execute(server.db)
  const answer = await download(officer, data.fileId)
  expect(answer.headers['set-cookie']).toBeUndefined()
  expect(answer.headers['content-disposition']).toBe(
    `attachment; filename="a_b__set-cookie: x=1; ___.xlsx"; filename*=UTF-8''${encodeURIComponent(name)}`,
  )
  expect(answer.headers['content-security-policy']).toContain('sandbox')
  expect(decodeURIComponent(String(answer.headers.filename))).toBe(name)
  await server.request('DELETE', '/api/v1/exportFileLogs/delete', { ids: [data.fileId] }, officer)
  expect((await download(officer, data.fileId)).json()).toMatchObject({ code: 205000 })
  await expect(stat(pathOf(file))).rejects.toThrow('ENOENT')
})

test('eleven exports in a minute are one too many', async () => {
  const eager = await person('eager', north)
  const codes: number[] = []
  for (let n = 0; n < 11; n += 1) codes.push((await exportAs(eager, { filters: { title: 'none' } })).code)
  expect(codes.slice(0, 10)).toEqual(Array(10).fill(100000))
  expect(codes[10]).toBe(100005)
})

test('a file that has expired is gone, row and bytes, when the server looks', async () => {
  const { data } = await exportAs(stranger, {})
  const file = await finished(data.fileId)
  expect(Date.parse(String(file?.expire_time)) - Date.now()).toBeGreaterThan(6.9 * 86_400_000)
  await sql`update export_file set expire_time = now() - interval '1 second' where id = ${data.fileId}`.execute(
    server.db,
  )
  // Every server looks when it starts.
  const another = await startTestApp({ database: server.database, dataDir })
  await expect.poll(() => fileOf(data.fileId)).toBeUndefined()
  await expect.poll(() => stat(pathOf(file)).catch((error) => error.code)).toBe('ENOENT')
  await another.close()
})
