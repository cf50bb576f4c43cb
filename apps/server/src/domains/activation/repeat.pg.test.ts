import { createHash, randomBytes } from 'node:crypto'
import { activate, createCodes } from '@campanile/contract'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { addDepartment, addRole, addUser, startTestApp, type TestApp } from '../../test/app.ts'

let server: TestApp
let token: string

beforeAll(async () => {
  server = await startTestApp()
  const id = await addDepartment(server.db, { name: 'Root' })
  const role = await addRole(server.db, {
    departmentId: id,
    permissions: ['activation:code:add', 'activation:code:qr'],
  })
  await addUser(server.db, { username: 'maker', departmentId: id, roleIds: [role] })
  token = (await server.signIn('maker')).token
})
afterAll(() => server.stop())

let made = 0
const device = async () => {
  made += 1
  const sn = `AGAIN-${made}`
  const { data } = await server.call(createCodes, { codes: sn }, { token })
  const code = (data as { codes: { activationCode: string }[] }).codes[0]?.activationCode ?? ''
  return { sn, code, key: randomBytes(24).toString('base64url') }
}
type Asked = { sn: string; code: string; key?: string }
const ask = (asked: Asked) => server.call(activate, asked)
const stored = async (sn: string) => {
  const { rows } = await sql<{ hash: Buffer; version: number }>`select credential_hash as hash,
    credential_version as version from device where sn = ${sn}`.execute(server.db)
  return rows[0]
}
const opens = async (sn: string, password: unknown) =>
  (await stored(sn))?.hash.equals(createHash('sha256').update(String(password)).digest())

it('a device whose answer was lost asks again with its key and gets the very same credential', async () => {
  const asked = await device()
  const first = await ask(asked)
  const again = await ask(asked)
  expect(again).toMatchObject({ code: 100000, data: { username: asked.sn, password: first.data.password } })
  expect(await opens(asked.sn, again.data.password)).toBe(true)
  // The credential was not changed, so whoever had received the first answer stays connected.
  expect((await stored(asked.sn))?.version).toBe(0)
})

it('of many that ask at once with one key all get the same', async () => {
  const asked = await device()
  const answers = await Promise.all(Array.from({ length: 5 }, () => ask(asked)))
  expect(new Set(answers.map(({ data }) => data?.password)).size).toBe(1)
  expect(answers.every(({ code }) => code === 100000)).toBe(true)
})

it('a stranger who knows serial number and code, but not the key, is told that it is used', async () => {
  const asked = await device()
  await ask(asked)
  const { sn, code } = asked
  expect(await ask({ sn, code, key: randomBytes(24).toString('base64url') })).toMatchObject({ code: 204032 })
  expect(await ask({ sn, code })).toMatchObject({ code: 204032 })
})

it('a code used without a key is used', async () => {
  const { sn, code, key } = await device()
  await ask({ sn, code })
  expect(await ask({ sn, code })).toMatchObject({ code: 204032 })
  expect(await ask({ sn, code, key })).toMatchObject({ code: 204032 })
})

it('after ten minutes the key opens nothing', async () => {
  const asked = await device()
  await ask(asked)
  await sql`update activation_code set used_time = used_time - interval '601 seconds' where sn = ${asked.sn}`.execute(
    server.db,
  )
  expect(await ask(asked)).toMatchObject({ code: 204032 })
})

it('a credential that was revoked meanwhile does not come back', async () => {
  const asked = await device()
  await ask(asked)
  await sql`update device set credential_hash = null where sn = ${asked.sn}`.execute(server.db)
  expect(await ask(asked)).toMatchObject({ code: 204032 })
  expect((await stored(asked.sn))?.hash).toBeNull()
})

it('neither key nor password rests in the database', async () => {
  const asked = await device()
  const { data } = await ask(asked)
  const { rows } = await sql<{ row: string }>`select row_to_json(t)::text as row from activation_code t
    where sn = ${asked.sn}`.execute(server.db)
  for (const secret of [asked.key, asked.code, String(data.password)]) expect(rows[0]?.row).not.toContain(secret)
})

it.each(['short', 'x'.repeat(129), 'with a space in it!!', ''])(
  'a key like "%s" is refused before the code is spent',
  async (key) => {
    const asked = await device()
    expect(await ask({ ...asked, key })).toMatchObject({ status: 400 })
    expect(await ask(asked)).toMatchObject({ code: 100000 })
  },
)
