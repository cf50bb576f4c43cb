import { copyFile, mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { migrate } from '../../platform/migrate.ts'
import { addDepartment, addUser } from '../../test/app.ts'
import { type TestDatabase, testDatabase } from '../../test/pg.ts'
import { temporaryFolder } from '../../test/temporary-folder.ts'
import { verifyAudit } from '../system/verify-audit.ts'

const migrations = fileURLToPath(new URL('../../../migrations', import.meta.url))
let database: TestDatabase

beforeAll(async () => {
  database = await testDatabase()
  const owner = new pg.Client(database.owner)
  await owner.connect()
  await owner.query('drop schema public cascade; create schema public; grant usage on schema public to campanile_app')
  await owner.end()
})
afterAll(() => database.drop())

it('an installation from before keeps numbers that one person has, trusts none that several have, and ends its sessions', async () => {
  const before = join(await temporaryFolder(), 'migrations')
  await mkdir(before)
  const names = (await readdir(migrations)).filter((name) => name.endsWith('.sql') && name < '0012')
  for (const name of names) await copyFile(join(migrations, name), join(before, name))
  await migrate(database.owner, before)
  const { db } = database
  const departmentId = await addDepartment(db, { name: 'Platform' })
  for (const [username, mobile] of [
    ['anna', '13800138000'],
    ['bert', '13900139000'],
    ['carl', '13900139000'],
    ['dora', null],
  ]) {
    const id = await addUser(db, { username: String(username), departmentId })
    await sql`update sys_user set mobile = ${mobile} where id = ${id}`.execute(db)
    await sql`insert into session (token_hash, user_id, signed_in_at, last_seen)
      values (${Buffer.from(String(username))}, ${id}, now(), now())`.execute(db)
    await sql`insert into op_log (route, module, type, result, code) values ('x', 'x', 'x', 'success', 100000)`.execute(
      db,
    )
  }
  await migrate(database.owner, migrations)
  const { rows } = await sql`select username, mobile, confirmed_mobile from sys_user order by username`.execute(db)
  expect(rows).toEqual([
    { username: 'anna', mobile: '13800138000', confirmed_mobile: '13800138000' },
    { username: 'bert', mobile: '13900139000', confirmed_mobile: null },
    { username: 'carl', mobile: '13900139000', confirmed_mobile: null },
    { username: 'dora', mobile: null, confirmed_mobile: null },
  ])
  expect((await sql`select from session where ended_at is null`.execute(db)).rows).toEqual([])
  await sql`insert into op_log_pending (route, module, type, result, code, outside) values ('x', 'x', 'x', 'success', 1, true)`.execute(
    db,
  )
  const verdict = await verifyAudit(db, await temporaryFolder(), Buffer.alloc(32))
  expect(verdict).toEqual({ checked: 5 })
  const owner = new pg.Client(database.owner)
  await owner.connect()
  await owner.query('update op_log set outside = false where id = 5')
  await owner.end()
  expect(await verifyAudit(db, await temporaryFolder(), Buffer.alloc(32))).toMatchObject({ bad: { id: 5 } })
})
