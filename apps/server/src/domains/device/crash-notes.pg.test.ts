import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { build as bundle } from 'esbuild'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import type { Happening, RefusedAttempt, UpKind } from '../../gateway/wire.ts'
import { createDb } from '../../platform/db.ts'
import { addDepartment } from '../../test/app.ts'
import { addDevice } from '../../test/devices.ts'
import { type TestDatabase, testDatabase } from '../../test/pg.ts'

const source = join(import.meta.dirname, '../../test/ingest-process.ts')
/** Built once for all its runs: from its sources it takes longer to start than to do its work. */
const build = () =>
  bundle({
    entryPoints: [source],
    outfile: program,
    bundle: true,
    format: 'esm',
    platform: 'node',
    external: ['pg-native'],
    loader: { '.node': 'copy' },
    logLevel: 'error',
    banner: { js: `import { createRequire as from } from 'node:module'; const require = from(import.meta.url)` },
  })
let program: string
let database: TestDatabase
let departmentId: number
let folder: string
let made = 0

beforeAll(async () => {
  // From here it finds our own packages.
  const near = join(import.meta.dirname, '../../../../../node_modules/.ingest-')
  program = join(await mkdtemp(near), 'ingest.mjs')
  await build()
  database = await testDatabase()
  const owner = createDb(database.owner)
  await owner.pool.query('create table taken (device_id bigint, id text); grant all on taken to campanile_app')
  await owner.close()
  departmentId = await addDepartment(database.db, { name: 'Root' })
})
afterAll(async () => {
  await database.drop()
  await rm(dirname(program), { recursive: true, force: true })
})
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'campanile-notes-'))
  return () => rm(folder, { recursive: true, force: true })
})

const newDevice = () => addDevice(database.db, { sn: `NOTE-${++made}`, departmentId })
const said = (device: { id: number; sn: string }, kind: UpKind, body: object): Happening => ({
  what: 'message',
  deviceId: device.id,
  sn: device.sn,
  address: '10.0.0.1',
  kind,
  text: JSON.stringify(body),
  at: Date.now(),
})
const event = (device: { id: number; sn: string }, id: string) =>
  said(device, 'event', { id, ts: Date.now(), type: 'swung' })
const poisons = {
  reply: { id: 'c', state: 'failed', error: 'die' },
  event: { id: 'poison', type: 'swung', data: { deadly: true } },
}

/** A process that stores these batches, until it is done or dead. */
const run = async (...batches: Happening[][]) => {
  const child = spawn(process.execPath, [program, folder, JSON.stringify(database.app)], {
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  let [out, log] = ['', '']
  child.stdout.on('data', (chunk) => {
    out += chunk
  })
  child.stderr.on('data', (chunk) => {
    log += chunk
  })
  child.stdin.on('error', () => undefined)
  child.stdin.end(batches.map((each) => `${JSON.stringify(each)}\n`).join(''))
  const [, signal] = (await once(child, 'close')) as [number | null, string | null]
  const answers = out
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as { faulty?: number[]; refusals?: RefusedAttempt[] })
  return {
    died: signal === 'SIGKILL',
    faulty: answers.flatMap(({ faulty }) => (faulty ? [faulty] : [])),
    refusals: answers.flatMap(({ refusals = [] }) => refusals),
    log,
  }
}
/** Kept, and taken by the room they are for: the same, each once. */
const eventsOf = async (id: number) => {
  const idsOf = (query: ReturnType<typeof sql<{ id: string }>>) =>
    query.execute(database.db).then(({ rows }) => rows.map((row) => row.id))
  const kept = await idsOf(sql`select event_id as id from device_event where device_id = ${id} order by 1`)
  expect(await idsOf(sql`select id from taken where device_id = ${id} order by 1`)).toEqual(kept)
  return kept
}

it.each(['reply', 'event'] as const)(
  'a message (%s) that ends the server is tried apart after that, costs its neighbours nothing, and is refused by name when it did it twice alone',
  async (kind) => {
    const poison = (device: { id: number; sn: string }) => said(device, kind, poisons[kind])
    const [bad, good] = [await newDevice(), await newDevice()]
    const sent = () => [event(good, 'g'), event(bad, 'b'), poison(bad)]
    expect(await run(sent())).toMatchObject({ died: true, faulty: [] })
    expect(await eventsOf(good.id)).toEqual([])

    // Not as a whole again: the others are stored before it.
    const second = await run(sent())
    expect(second).toMatchObject({ died: true })
    expect([await eventsOf(good.id), await eventsOf(bad.id)]).toEqual([['g'], ['b']])
    expect(second.log).toContain('one by one')

    const third = await run([poison(bad)])
    expect(third).toMatchObject({ died: true })
    expect(third.log).toContain(bad.sn)

    const fourth = await run(sent(), [event(bad, 'later')])
    expect(fourth).toMatchObject({ died: false, faulty: [[2], []] })
    expect(fourth.refusals).toEqual([{ sn: bad.sn, address: '10.0.0.1', reason: 'harmful', message: { kind } }])
    expect(fourth.log).toContain('"reason":"harmful"')
    expect(await eventsOf(bad.id)).toEqual(['b', 'later'])
  },
  300_000,
)
