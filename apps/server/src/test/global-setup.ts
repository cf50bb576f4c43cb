import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import pino from 'pino'
import type { TestProject } from 'vitest/node'
import { migrate } from '../platform/migrate.ts'
import { startEmbedded } from '../platform/postgres/embedded.ts'
import { scramVerifier } from '../platform/postgres/scram.ts'

/** How a test file reaches the server that all files share; see pg.ts. */
export interface TestServer {
  owner: pg.ClientConfig
  app: pg.PoolConfig
  /** Migrated once, cloned by each file. */
  template: string
}

declare module 'vitest' {
  export interface ProvidedContext {
    testServer: TestServer
  }
}

const migrations = join(import.meta.dirname, '../../migrations')

/** One PostgreSQL for the whole run: embedded in a temporary folder or, in the project `pg-external`, TEST_DATABASE_URL. */
export default async function setup(project: TestProject) {
  const server = await (project.name === 'pg-external' ? external() : embedded())
  const template = `campanile_template_${randomBytes(4).toString('hex')}`
  try {
    await run(server.owner, `CREATE DATABASE ${template}`)
    await migrate({ ...server.owner, database: template }, migrations)
  } catch (error) {
    await server.stop()
    throw error
  }
  project.provide('testServer', { owner: server.owner, app: server.app, template })
  return async () => {
    await run(server.owner, `DROP DATABASE ${template}`)
    await server.stop()
  }
}

async function embedded() {
  const dataDir = await mkdtemp(join(tmpdir(), 'campanile-test-'))
  const passwords = { owner: randomBytes(18).toString('base64url'), app: randomBytes(18).toString('base64url') }
  const log = pino({ level: 'fatal' })
  const settings = {
    // Nothing in a test survives the machine, so nothing waits for the disk.
    fsync: 'off',
    full_page_writes: 'off',
    synchronous_commit: 'off',
    shared_buffers: '128MB',
    // A table analysed in the moment it was empty is planned as an empty one when ten thousand rows have followed.
    autovacuum: 'off',
    // Every worker has installations of its own, each with its pools.
    max_connections: '300',
  }
  const { owner, app, stop } = await startEmbedded({ dataDir, passwords, log, settings })
  return {
    owner,
    app,
    async stop() {
      await stop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

/** Needs a login that may create roles and databases. */
async function external() {
  const client = new pg.Client({ connectionString: process.env.TEST_DATABASE_URL })
  await client.connect()
  const password = randomBytes(18).toString('base64url')
  const { rows } = await client.query(`SELECT FROM pg_roles WHERE rolname = 'campanile_app'`)
  const verb = rows.length > 0 ? 'ALTER' : 'CREATE'
  await client.query(`${verb} ROLE campanile_app LOGIN PASSWORD '${scramVerifier(password)}'`)
  await client.end()
  const { host, port, user } = client
  const owner = {
    host,
    port,
    user: user ?? '',
    password: String(client.password ?? ''),
    database: client.database ?? '',
  }
  return { owner, app: { ...owner, user: 'campanile_app', password }, stop: async () => undefined }
}

async function run(owner: pg.ClientConfig, sql: string): Promise<void> {
  const client = new pg.Client(owner)
  await client.connect()
  await client.query(sql).finally(() => client.end())
}
