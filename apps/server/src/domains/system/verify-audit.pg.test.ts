import { randomBytes } from 'node:crypto'
import { appendFile, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { recordOperation } from '../../platform/audit.ts'
import { type TestDatabase, testDatabase } from '../../test/pg.ts'
import { noteHead } from './audit-heads.ts'
import { auditSentence, verifyAudit } from './verify-audit.ts'

let database: TestDatabase
let dataDir: string
const key = randomBytes(32)

beforeEach(async () => {
  database = await testDatabase()
  dataDir = await mkdtemp(join(tmpdir(), 'campanile-audit-'))
  for (let line = 1; line <= 10; line += 1) await write(`line ${line}`)
})
afterEach(async () => {
  await database.drop()
  await rm(dataDir, { recursive: true })
})

const write = (description: string) =>
  recordOperation(database.db, {
    actor: null,
    clientIp: '10.0.0.1',
    host: 'host',
    userAgent: 'agent',
    route: 'POST /x',
    module: 'test',
    type: 'create',
    description,
    result: 'success',
    code: 100000,
    before: { name: 'a' },
    after: { name: 'b' },
  })

/** Somebody who owns the database and may do anything to it. */
const asOwner = async (...statements: string[]) => {
  const client = new pg.Client(database.owner)
  await client.connect()
  try {
    for (const statement of statements) await client.query(statement)
  } finally {
    await client.end()
  }
}

const verify = () => verifyAudit(database.db, dataDir, key)
const note = () => noteHead(database.db, dataDir, key)

/** Rebuilds hashes from a line on, and the head, as a careful forger would. */
const rechain = `do $$ declare line op_log; previous bytea := decode(repeat('00', 32), 'hex'); n bigint := 0; begin
  for line in select * from op_log order by id loop
    previous := op_log_hash(previous, line); n := line.id;
    update op_log set hash = previous where id = line.id;
  end loop;
  update op_log_head set id = n, hash = previous;
end $$`

test('a log nobody touched is whole', async () => {
  await note()
  await write('one more')
  expect(await verify()).toEqual({ checked: 11 })
  expect(auditSentence({ checked: 11 })).toContain('11 lines')
})

test('lines written at the same time still make one chain', async () => {
  await Promise.all(Array.from({ length: 20 }, (_, index) => write(`at once ${index}`)))
  expect(await verify()).toEqual({ checked: 30 })
})

describe('the owner of the database cannot hide', () => {
  test('a changed line', async () => {
    await asOwner(`update op_log set description = 'nothing happened' where id = 4`)
    expect(await verify()).toEqual({ checked: 3, bad: { id: 4, reason: 'changed' } })
  })

  test('a changed line whose hash was computed anew', async () => {
    await asOwner(
      `update op_log set description = 'nothing happened' where id = 4`,
      `update op_log l set hash = op_log_hash((select hash from op_log where id = 3), l) where id = 4`,
    )
    expect(await verify()).toEqual({ checked: 4, bad: { id: 5, reason: 'changed' } })
  })

  test('a deleted line', async () => {
    await asOwner('delete from op_log where id = 4')
    expect(await verify()).toEqual({ checked: 3, bad: { id: 4, reason: 'missing' } })
  })

  test('an inserted line', async () => {
    await asOwner(
      'alter table op_log disable trigger op_log_chain',
      'update op_log set id = id + 100 where id > 4',
      'update op_log set id = id - 99 where id > 100',
      `insert into op_log select 5, create_time, department_id, department_name, department_path, user_id, 'forged', client_ip,
        host, route, module, type, description, result, code, user_agent, before, after, hash from op_log where id = 4`,
    )
    expect(await verify()).toEqual({ checked: 4, bad: { id: 5, reason: 'changed' } })
  })

  test('two lines that changed places', async () => {
    await asOwner(
      'update op_log set id = 100 where id = 4',
      'update op_log set id = 4 where id = 5',
      'update op_log set id = 5 where id = 100',
    )
    expect(await verify()).toEqual({ checked: 3, bad: { id: 4, reason: 'changed' } })
  })

  test('an end that was cut off', async () => {
    await asOwner('delete from op_log where id > 7')
    expect(await verify()).toEqual({ checked: 7, bad: { id: 8, reason: 'missing' } })
  })

  test('an end that was cut off together with the database’s memory of it', async () => {
    await note()
    await asOwner(
      'delete from op_log where id > 7',
      'update op_log_head set id = 7, hash = (select hash from op_log where id = 7)',
    )
    expect(await verify()).toEqual({ checked: 7, bad: { id: 8, reason: 'missing' } })
  })

  test('a log replaced from the first line to the last', async () => {
    await note()
    await asOwner(`update op_log set username = 'somebody else'`, rechain)
    expect(await verify()).toMatchObject({ checked: 9, bad: { id: 10, reason: 'replaced' } })
  })

  test('an emptied log', async () => {
    await note()
    await asOwner('truncate op_log', `update op_log_head set id = 0, hash = decode(repeat('00', 32), 'hex')`)
    expect(await verify()).toEqual({ checked: 0, bad: { id: 1, reason: 'missing' } })
  })

  test('notes that were written without the key, or taken out', async () => {
    await note()
    await write('more')
    await note()
    const file = join(dataDir, 'audit-heads.log')
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    const text = await readFile(file, 'utf8')
    await writeFile(file, text.split('\n').slice(1).join('\n'))
    expect(await verify()).toMatchObject({ bad: { id: 1, reason: 'notesChanged' } })
    await writeFile(file, text)
    await appendFile(file, `${new Date().toISOString()} 99 ${'0'.repeat(64)} ${'0'.repeat(64)}\n`)
    expect(await verify()).toMatchObject({ bad: { id: 3, reason: 'notesChanged' } })
  })
})

test.each([
  `update op_log set description = 'x'`,
  'delete from op_log',
  'truncate op_log',
  'update op_log_head set id = 0',
  "insert into op_log_head (id, hash) values (0, decode(repeat('00', 32), 'hex'))",
  'drop trigger op_log_chain on op_log',
  'alter table op_log disable trigger op_log_chain',
])('the role that serves requests may not: %s', async (statement) => {
  await expect(database.pool.query(statement)).rejects.toThrow(/permission denied|must be owner/)
})

test('nothing a stranger sends makes a second line or a terminal command', async () => {
  await write('a\r\n2026-01-01 admin \u001b[2J forged\u2028line')
  const { rows } = await database.pool.query('select description from op_log where id = 11')
  expect(rows[0].description).toBe('a  2026-01-01 admin  [2J forged line')
})
