import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { appendFile, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type AuditLine, catchUpLog, createLineGatherer, recordOperation } from '../../platform/audit.ts'
import type { Db } from '../../platform/db.ts'
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
  await catchUpLog(database.db)
})
afterEach(async () => {
  await database.drop()
  await rm(dataDir, { recursive: true })
})

const lineOf = (description: string): AuditLine => ({
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

const write = (description: string, db: Db = database.db) => recordOperation(db, lineOf(description))

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

/** Rebuilds seals and hashes from a line on, and the heads, as a careful forger would. */
const rechain = `do $$ declare line op_log; previous bytea := decode(repeat('00', 32), 'hex'); n bigint := 0; begin
  update op_log_strand set seal = decode(repeat('00', 32), 'hex');
  for line in select * from op_log order by id loop
    update op_log_strand s set seal = op_log_seal(s.seal, s.strand, line.strand_number, line.write_time, row(line.strand, line.strand_number, line.write_time,
      line.department_id, line.department_name, line.department_path, line.outside, line.user_id, line.username,
      line.client_ip, line.host, line.route, line.module, line.type, line.description, line.result, line.code,
      line.user_agent, line.before, line.after, null)::op_log_pending) where s.strand = line.strand
    returning seal into line.seal;
    previous := op_log_hash(previous, line); n := line.id;
    update op_log set hash = previous, seal = line.seal where id = line.id;
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

test('a line is whole whatever it says', async () => {
  const odd = 'quote " backslash \\ \\u0000 tab \t 中文 😀 ] , "outside"'
  await recordOperation(database.db, {
    ...lineOf(odd),
    actor: {
      id: 1,
      username: odd,
      department: { id: 1, name: odd, path: '1' },
      operating: { id: 7, name: odd, path: '1.7' },
    },
    before: { [odd]: [odd, 1e21, 0.1, -0, null, true, { deep: [[]] }] },
    after: odd,
  })
  await recordOperation(database.db, { ...lineOf(''), before: undefined, after: null })
  expect(await verify()).toEqual({ checked: 12 })
})

describe('lines of calls without a transaction', () => {
  const pending = async () =>
    (await database.pool.query('select description, xmin::text as commit from op_log_pending')).rows as {
      description: string
      commit: string
    }[]

  test('go to disk together, and everybody waits for theirs', async () => {
    const record = createLineGatherer(database.db)
    await Promise.all(
      Array.from({ length: 40 }, async (_, index) => {
        await record(lineOf(`read ${index}`))
        expect((await pending()).map(({ description }) => description)).toContain(`read ${index}`)
      }),
    )
    const lines = await pending()
    expect(lines).toHaveLength(40)
    expect(new Set(lines.map(({ commit }) => commit)).size).toBe(1)
    expect(await verify()).toEqual({ checked: 50 })
  })

  test('do not fail for one among them that the database does not take', async () => {
    const record = createLineGatherer(database.db)
    const told = await Promise.allSettled([1, 2, 2 ** 40, 4].map((code) => record({ ...lineOf(`code ${code}`), code })))
    expect(told.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled'])
    expect(await verify()).toEqual({ checked: 13 })
  })

  test('are told when they were not written', async () => {
    const record = createLineGatherer(database.db)
    await asOwner('alter table op_log_pending rename to out_of_reach')
    const told = await Promise.allSettled([1, 2, 3].map((n) => record(lineOf(`lost ${n}`))))
    expect(told.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
    await asOwner('alter table out_of_reach rename to op_log_pending')
    await record(lineOf('kept'))
    expect(await verify()).toEqual({ checked: 11 })
  })
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
    expect(await verify()).toEqual({ checked: 3, bad: { id: 4, reason: 'changed' } })
  })

  test('a deleted line', async () => {
    await asOwner('delete from op_log where id = 4')
    expect(await verify()).toEqual({ checked: 3, bad: { id: 4, reason: 'missing' } })
  })

  test('an inserted line', async () => {
    await asOwner(
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

describe('a line that waits to be chained', () => {
  /** Two lines of one connection, so that they follow each other in a strand. */
  const writeTwo = () =>
    database.db.connection().execute(async (connection) => {
      await write('first', connection)
      await write('second', connection)
    })

  test('is whole when nobody touched it, and chained by whoever reads next', async () => {
    await writeTwo()
    expect((await database.pool.query('select from op_log_pending')).rowCount).toBe(2)
    expect(await verify()).toEqual({ checked: 12 })
    expect((await database.pool.query('select from op_log_pending')).rowCount).toBe(0)
  })

  test('cannot be changed unseen', async () => {
    await writeTwo()
    await asOwner(`update op_log_pending set description = 'nothing happened' where description = 'first'`)
    expect(await verify()).toEqual({ checked: 10, bad: { id: 11, reason: 'changed' } })
  })

  test('cannot be taken out unseen while another follows it', async () => {
    await writeTwo()
    await asOwner(`delete from op_log_pending where description = 'first'`)
    expect(await verify()).toEqual({ checked: 10, bad: { id: 11, reason: 'skipped' } })
    // What comes after it is chained all the same, and does not hide it.
    await write('later')
    expect(await verify()).toEqual({ checked: 10, bad: { id: 11, reason: 'skipped' } })
    expect((await database.pool.query('select from op_log')).rowCount).toBe(12)
  })

  test('cannot be taken out unseen where it is the last', async () => {
    await writeTwo()
    await asOwner(`delete from op_log_pending where description = 'second'`)
    expect(await verify()).toEqual({ checked: 11, bad: { id: 11, reason: 'waiting' } })
  })

  test('cannot be kept from the log by moving the mark of what is chained', async () => {
    await writeTwo()
    await asOwner(`update op_log_head set chained = (select array_agg(number order by strand) from op_log_strand)`)
    expect(await verify()).toMatchObject({ bad: { reason: 'headChanged' } })
  })

  test('cannot be slipped in', async () => {
    await asOwner(
      'alter table op_log_pending disable trigger op_log_write',
      `insert into op_log_pending (strand, strand_number, create_time, route, module, type, result, code, seal)
        select strand, number + 1, now(), 'x', 'x', 'x', 'success', 1, seal from op_log_strand where strand = 3`,
      'update op_log_strand set number = number + 1 where strand = 3',
    )
    expect(await verify()).toEqual({ checked: 10, bad: { id: 11, reason: 'changed' } })
  })

  test('cannot be added past the strands', async () => {
    await asOwner(
      `insert into op_log select 11, now(), null, null, null, null, 'forged', null, null, 'x', 'x', 'x', null, 'success', 1, null,
        null, null, ''`,
      rechain,
    )
    expect(await verify()).toMatchObject({ bad: { id: 11, reason: 'changed' } })
  })
})

test('a change that was taken back leaves neither a line nor a gap', async () => {
  await database.db.connection().execute(async (connection) => {
    const back = connection.transaction().execute(async (tx) => {
      await write('taken back', tx)
      throw new Error('taken back')
    })
    await expect(back).rejects.toThrow('taken back')
    await write('kept', connection)
  })
  expect(await verify()).toEqual({ checked: 11 })
})

test('a change that takes long holds up nobody’s line, and its own follows in the order of time', async () => {
  let end: () => void = () => undefined
  const held = new Promise<void>((resolve) => {
    end = resolve
  })
  let isWritten: () => void = () => undefined
  const written = new Promise<void>((resolve) => {
    isWritten = resolve
  })
  const slow = database.db.transaction().execute(async (tx) => {
    await write('slow', tx)
    isWritten()
    await held
  })
  await written
  // Were there one line for all, this would wait for ever.
  await write('quick')
  expect(await verify()).toEqual({ checked: 11 })
  end()
  await slow
  expect(await verify()).toEqual({ checked: 12 })
  const { rows } = await database.pool.query(
    'select description, create_time >= lag(create_time) over (order by id) as later from op_log order by id desc limit 2',
  )
  expect(rows).toEqual([
    { description: 'slow', later: true },
    { description: 'quick', later: true },
  ])
})

test('a line does not wait for a change of another connection that began with the same strand', async () => {
  const strandOf = async (connection: Db) =>
    (await sql<{ strand: number }>`select pg_backend_pid() % 64 as strand`.execute(connection)).rows[0]?.strand
  await database.db.connection().execute(async (connection) => {
    const own = await strandOf(connection)
    const busy = new pg.Client(database.owner)
    await busy.connect()
    await busy.query('begin')
    await busy.query(`select pg_advisory_xact_lock('op_log_strand'::regclass::oid::integer, $1)`, [own])
    await busy.query('update op_log_strand set number = number where strand = $1', [own])
    await write('beside it', connection)
    const { rows } = await sql`select strand from op_log_pending`.execute(connection)
    expect(rows).toEqual([{ strand: ((own ?? 0) + 1) % 64 }])
    await busy.query('rollback')
    await busy.end()
    await write('on its own again', connection)
    const last = await sql`select strand from op_log_pending where description = 'on its own again'`.execute(connection)
    expect(last.rows).toEqual([{ strand: own }])
  })
  expect(await verify()).toEqual({ checked: 12 })
})

test('kill -9 between a line and its chaining, or in the middle of it, loses none and doubles none', async () => {
  const at = (path: string) => JSON.stringify(join(import.meta.dirname, '../../platform', path))
  const script = `Promise.all([import(${at('audit.ts')}), import(${at('db.ts')})]).then(async ([audit, { createDb }]) => {
    const { db } = createDb(${JSON.stringify(database.app)})
    const line = { actor: null, clientIp: '', host: '', userAgent: '', route: 'x', module: 'killed', type: 'x', result: 'success', code: 1 }
    const gather = audit.createLineGatherer(db)
    setInterval(() => audit.catchUpLog(db), 3)
    for (let n = 1; ; n += 1) {
      await Promise.all(Array.from({ length: 4 }, () => [audit.recordOperation(db, line), gather(line)]).flat())
      process.stdout.write(n * 8 + '\\n')
    }
  })`
  let acknowledged = 0
  for (const until of [40, 200]) {
    const child = spawn(process.execPath, ['--import', 'tsx', '-e', script], { stdio: ['ignore', 'pipe', 'inherit'] })
    let said = 0
    for await (const text of child.stdout) {
      said = Number(String(text).trim().split('\n').at(-1))
      if (said >= until) child.kill('SIGKILL')
    }
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
    acknowledged += said
  }
  const { bad, checked } = await verify()
  expect(bad).toBeUndefined()
  expect(checked - 10).toBeGreaterThanOrEqual(acknowledged)
  // What had been written and not yet said, and what was on its way, in each process when it was killed.
  expect(checked - 10).toBeLessThanOrEqual(acknowledged + 32)
  const { rows } = await database.pool.query('select sum(lines)::int as lines from op_log_tally')
  expect(rows[0].lines).toBe(checked)
})

test('the role that serves requests may add lines and nothing else', async () => {
  for (const statement of [
    `update op_log set description = 'x'`,
    'delete from op_log',
    'truncate op_log',
    'update op_log_head set id = 0',
    "insert into op_log_head (id, hash) values (0, decode(repeat('00', 32), 'hex'))",
    "insert into op_log (id, create_time, route, module, type, result, code, hash) values (11, now(), 'x', 'x', 'x', 'x', 1, '')",
    `update op_log_pending set description = 'x'`,
    'delete from op_log_pending',
    'truncate op_log_pending',
    'update op_log_strand set number = 0',
    'insert into op_log_strand (strand) values (64)',
    'drop trigger op_log_write on op_log_pending',
    'alter table op_log_pending disable trigger op_log_write',
  ])
    await expect(database.pool.query(statement), statement).rejects.toThrow(/permission denied|must be owner/)
})

test('nothing a stranger sends makes a second line or a terminal command', async () => {
  await write('a\r\n2026-01-01 admin \u001b[2J forged\u2028line')
  const { rows } = await database.pool.query('select description from op_log_now() where id = 11')
  expect(rows[0].description).toBe('a  2026-01-01 admin  [2J forged line')
})
