import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { inject } from 'vitest'
import { createDb, type Db } from '../platform/db.ts'

export interface TestDatabase {
  db: Db
  pool: pg.Pool
  owner: pg.ClientConfig
  app: pg.PoolConfig
  drop(): Promise<void>
}

const refuseSecond = () => {
  throw new Error('asks for a second connection while its transaction holds one')
}

/**
 * A migrated, empty database of its own for a test file; `drop` it in `afterAll`. `db` and `pool` log in as the role
 * that serves requests, so a missing GRANT shows here and not at a customer's.
 */
export async function testDatabase(): Promise<TestDatabase> {
  const server = inject('testServer')
  const database = `campanile_test_${randomBytes(6).toString('hex')}`
  const administer = async (sql: string) => {
    const client = new pg.Client(server.owner)
    await client.connect()
    await client.query(sql).finally(() => client.end())
  }
  // As files: through the log, page by page, it takes twice as long.
  await administer(`CREATE DATABASE ${database} TEMPLATE ${server.template} STRATEGY FILE_COPY`)
  const owner = { ...server.owner, database }
  const app = { ...server.app, database }
  const { db, pool, close } = createDb(app, { onSecond: refuseSecond })
  return {
    db,
    pool,
    owner,
    app,
    async drop() {
      await close()
      await administer(`DROP DATABASE ${database} WITH (FORCE)`)
    },
  }
}
