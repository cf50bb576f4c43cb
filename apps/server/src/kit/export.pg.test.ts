import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readSheet } from '../platform/sheet/read.ts'
import { addDepartment, addRole, addUser, startTestApp, type TestApp } from '../test/app.ts'

let server: TestApp
let north: number
let south: number
let officer: { id: number; token: string }
let stranger: { id: number; token: string }

const rights = ['list', 'add', 'export'].map((verb) => `system:announcement:${verb}`)
const fileRights = ['list', 'download', 'delete'].map((verb) => `iot:files:${verb}`)

const person = async (username: string, departmentId: number) => {
  const role = await addRole(server.db, { departmentId, permissions: [...rights, ...fileRights] })
  const id = await addUser(server.db, { username, departmentId, roleIds: [role] })
  return { id, token: (await server.signIn(username)).token }
}

beforeAll(async () => {
  server = await startTestApp()
  const root = await addDepartment(server.db, { name: 'Platform' })
  north = await addDepartment(server.db, { name: 'North', parentId: root, type: 1 })
  south = await addDepartment(server.db, { name: 'South', parentId: root, type: 1 })
  officer = await person('officer', north)
  stranger = await person('stranger', south)
})
afterAll(() => server.stop())

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
  expect(Number(rows[2]?.cells[3])).toBeCloseTo(46054 + 0.5 / 24, 6)
  expect(rows[1]?.cells[2]).toBe('North')

  const news = await sql`select type, title, data from notification
    where user_id = ${officer.id} and type = 'export'`.execute(server.db)
  expect(news.rows).toEqual([{ type: 'export', title: 'exportDone', data: { fileName, rows: 2 } }])
  const lines = await sql`select result, description from op_log where type = 'export' order by id`.execute(server.db)
  expect(lines.rows).toEqual([
    { result: 'success', description: fileName },
    { result: 'success', description: `${fileName}: 2` },
  ])
})
