import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { mountFiles } from '../domains/file/index.ts'
import { mountSystem } from '../domains/system/index.ts'
import { readSheet } from '../platform/sheet/read.ts'
import { type KitApp, type Person, startKitApp } from '../test/kit-app.ts'

let kit: KitApp
let root: { id: number; path: string }
let north: { id: number; path: string }
let south: { id: number; path: string }
let officer: Person
let other: Person

const everything = new Set([
  'system:announcement:list',
  'system:announcement:add',
  'system:announcement:export',
  'iot:files:list',
  'iot:files:download',
  'iot:files:delete',
])

beforeAll(async () => {
  kit = await startKitApp((services) => {
    mountFiles(services)
    mountSystem(services)
  })
  root = await kit.addDepartment('Platform')
  north = await kit.addDepartment('North', root, 1)
  south = await kit.addDepartment('South', root, 1)
  officer = await kit.addPerson('officer', north, [{ permissions: everything, paths: [north.path] }])
  other = await kit.addPerson('other', south, [{ permissions: everything, paths: [south.path] }])
})
afterAll(() => kit.stop())

const announce = (title: string, departmentId: number, more: object = {}) =>
  kit.ask(departmentId === south.id ? other : officer, 'POST', '/api/v1/announcement/create', {
    title,
    text: 'text',
    departmentId,
    ...more,
  })

const fileOf = async (id: unknown) => {
  const { rows } = await sql<Record<string, unknown>>`select * from export_file where id = ${id}`.execute(kit.db)
  return rows[0]
}

const finished = async (id: unknown) => {
  await expect.poll(async () => (await fileOf(id))?.state, { timeout: 20_000 }).not.toBe('inProgress')
  return fileOf(id)
}

const download = (person: Person, id: unknown) => kit.call(person, 'GET', `/api/v1/exportFileLogs/download?id=${id}`)

test('an export becomes a file of exactly the rows its maker sees, and tells them', async () => {
  await announce('=HYPERLINK("http://x","y")', north.id)
  await announce('Plain 通告', north.id, { validUntil: '2026-01-31T16:30:00Z', level: 'important' })
  await announce('Secret of the south', south.id)

  const started = await kit.ask(officer, 'POST', '/api/v1/announcement/export', {
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
    where user_id = ${officer.id} and type = 'export'`.execute(kit.db)
  expect(news.rows).toEqual([{ type: 'export', title: 'exportDone', data: { fileName, rows: 2 } }])
  const lines = await sql`select result, description from op_log where type = 'export' order by id`.execute(kit.db)
  expect(lines.rows).toEqual([
    { result: 'success', description: fileName },
    { result: 'success', description: `${fileName}: 2` },
  ])
})
