import { mkdtemp, rm } from 'node:fs/promises'
import { cpus, tmpdir, totalmem } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import pino from 'pino'
import { createApp } from '../apps/server/src/app.ts'
import { readConfig } from '../apps/server/src/platform/config.ts'
import { prepareDataFolder } from '../apps/server/src/platform/data-folder.ts'
import { createDb } from '../apps/server/src/platform/db.ts'
import { migrate } from '../apps/server/src/platform/migrate.ts'
import { startDatabase } from '../apps/server/src/platform/postgres/index.ts'
import { loadSecrets } from '../apps/server/src/platform/secrets.ts'
import { seed } from '../apps/server/src/seed.ts'

const migrations = fileURLToPath(new URL('../apps/server/migrations', import.meta.url))
export const adminPassword = 'Bench-Password-1'

/** The product in this process with a database of its own, and the owner's connection to fill and to compare with. */
export const raise = async ({ roles = 'api,gateway,worker' } = {}) => {
  const dataDir = await mkdtemp(join(tmpdir(), 'campanile-bench-'))
  const config = readConfig({
    CAMPANILE_DATA: dataDir,
    CAMPANILE_PORT: '0',
    CAMPANILE_MQTT_PORT: '0',
    CAMPANILE_CAPTCHA: 'off',
    CAMPANILE_ROLES: roles,
    CAMPANILE_REQUESTS_PER_MINUTE: '1000000',
    CAMPANILE_ADMIN_PASSWORD: adminPassword,
  })
  await prepareDataFolder(dataDir)
  const secrets = await loadSecrets(dataDir)
  const log = pino({ level: 'error' })
  const database = await startDatabase(config, secrets, log, (error) => {
    throw error
  })
  await migrate(database.owner, migrations)
  const { db, pool, close } = createDb(database.app)
  const deps = { config, secrets, db, pool, log }
  await seed(deps)
  const app = await createApp(deps)
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  const owner = new pg.Client(database.owner)
  await owner.connect()
  return {
    url,
    dataDir,
    owner,
    db,
    pool,
    stop: async () => {
      await owner.end()
      await app.close()
      await close()
      await database.stop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

export const machine = () =>
  `${cpus().length} × ${cpus()[0]?.model.trim()}, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.version}`

/** Milliseconds of each run, sorted, so that a percentile is an index. */
export const timed = async (runs: number, work: (run: number) => Promise<unknown>): Promise<number[]> => {
  const times: number[] = []
  for (let run = 0; run < runs; run++) {
    const start = performance.now()
    await work(run)
    times.push(performance.now() - start)
  }
  return times.sort((a, b) => a - b)
}

export const percentile = (sorted: readonly number[], share: number) =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0

export const figure = (value: number, digits = 1) => value.toFixed(digits)
