import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readSheet } from '../../platform/sheet/read.ts'
import { addDepartment, addRole, addUser, startTestApp, type TestApp } from '../../test/app.ts'
import { makePresetRoles } from './role-presets.ts'

let server: TestApp
let officer: { token: string }

beforeAll(async () => {
  server = await startTestApp()
  const north = await addDepartment(server.db, { name: 'North', type: 1 })
  const own = await addRole(server.db, {
    departmentId: north,
    name: 'Night shift',
    permissions: ['system:user:list', 'system:user:export', 'iot:files:list', 'iot:files:download'],
  })
  await makePresetRoles(server.db, north)
  const { rows } = await sql<{ id: number }>`select id from sys_role where preset = 'auditor'`.execute(server.db)
  const preset = rows[0]?.id as number
  await addUser(server.db, { username: 'officer', departmentId: north, roleIds: [own, preset] })
  officer = { token: (await server.signIn('officer')).token }
})
afterAll(() => server.stop())

test.each([
  ['en', 'Night shift, Auditor'],
  ['zh-CN', 'Night shift、审计员'],
  ['zh-TW', 'Night shift、稽核員'],
])('a sheet of users names the shipped roles in %s', async (language, names) => {
  const started = await server.app.inject({
    method: 'POST',
    url: '/api/v1/oauth/users/export',
    headers: { sessionid: officer.token, 'accept-language': language },
    payload: { columns: ['username', 'roleIds'], timeZone: 'UTC' },
  })
  const { fileId } = started.json().data
  const stateOf = async () =>
    (await sql<{ state: string }>`select state from export_file where id = ${fileId}`.execute(server.db)).rows[0]?.state
  await expect.poll(stateOf, { timeout: 20_000 }).toBe('complete')
  const file = await server.app.inject({
    url: `/api/v1/exportFileLogs/download?id=${fileId}`,
    headers: { sessionid: officer.token },
  })
  const { rows } = await readSheet(file.rawPayload)
  expect(rows.map((row) => row.cells).find(([username]) => username === 'officer')?.[1]).toBe(names)
})
