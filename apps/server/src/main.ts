import { fileURLToPath } from 'node:url'
import pino from 'pino'
import { createApp } from './app.ts'
import { rememberPast } from './demo/past.ts'
import { createDemoFleet } from './demo/simulator.ts'
import { finishRestore } from './platform/backup/restore.ts'
import { type Config, readConfig } from './platform/config.ts'
import { prepareDataFolder } from './platform/data-folder.ts'
import { createDb } from './platform/db.ts'
import { lockInstance } from './platform/instance-lock.ts'
import { migrate } from './platform/migrate.ts'
import { OperatorError } from './platform/operator-error.ts'
import { startDatabase } from './platform/postgres/index.ts'
import { loadSecrets } from './platform/secrets.ts'
import { type Seeded, seed } from './seed.ts'

// The same from src and from dist.
const migrations = fileURLToPath(new URL('../migrations', import.meta.url))

/** People read standard output; machines read the log on standard error. */
const log = pino(pino.destination({ dest: 2, sync: true }))

/** Undone in reverse when we stop, however far the start has come. */
const undo: (() => Promise<unknown>)[] = []
/**
 * A part that takes longer to stop is left behind and the next one stops: requests have five seconds of it, jobs ten,
 * the gateway three. The database itself takes what its last checkpoint takes.
 */
const partMs = 25_000
const connectionsMs = 5_000
let stopping = false

async function start(): Promise<void> {
  const config = readConfig(process.env, process.argv.slice(2))
  await prepareDataFolder(config.dataDir)
  const lock = await lockInstance(config.dataDir)
  undo.push(lock.release)
  await finishRestore(config.dataDir)
  const secrets = await loadSecrets(config.dataDir)
  if (stopping) return

  const database = await startDatabase(config, secrets, log, fail)
  undo.push(database.stop)
  if (stopping) return

  await migrate(database.owner, migrations)
  const { db, pool, close } = createDb(database.app)
  undo.push(() => soon(close(), connectionsMs))
  if (stopping) return

  const deps = { config, secrets, db, pool, log }
  // Told at once: a port that is taken must not swallow a password that is shown only once.
  tell(await seed(deps))
  if (config.demo) await rememberPast(db)
  const fleet = livesHere(config) ? await createDemoFleet(deps) : undefined
  const app = await createApp(deps)
  undo.push(() => soon(app.close(), partMs))
  if (stopping) return

  const address = await app.listen({ host: config.host, port: config.port }).catch((error: NodeJS.ErrnoException) => {
    throw new OperatorError(listenAdvice(error, config.host, config.port))
  })
  if (fleet) {
    undo.push(fleet.stop)
    fleet.start({ mqttUrl: `mqtt://${new URL(address).hostname}:${app.doors.device.port}`, serverUrl: address })
  }
  console.log(`Campanile is ready at ${address}`)
}

/** The demonstration's devices come to the gateway of this very process. */
const livesHere = ({ demo, roles, brokerUrl }: Config) => demo && roles.includes('gateway') && !brokerUrl

const tell = ({ adminPassword, demoAccounts = [] }: Seeded): void => {
  if (adminPassword) {
    console.log(
      `The administrator's password is ${adminPassword}\nIt is shown this once: sign in as admin and change it.`,
    )
  }
  for (const { username, password, what } of demoAccounts) console.log(`  ${username.padEnd(20)} ${password}  ${what}`)
}

const listenAdvice = (error: NodeJS.ErrnoException, host: string, port: number): string => {
  if (error.code === 'EADDRINUSE') return `Port ${port} on ${host} is taken: set CAMPANILE_PORT to a free one.`
  if (error.code === 'EACCES')
    return `Port ${port} needs more rights than this user has: set CAMPANILE_PORT above 1023.`
  return `Campanile cannot listen on ${host}:${port} (${error.code}): check CAMPANILE_HOST and CAMPANILE_PORT.`
}

const soon = (work: Promise<unknown>, ms: number): Promise<unknown> => {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`not within ${ms / 1000} s`)), ms)
  })
  return Promise.race([work, late]).finally(() => clearTimeout(timer))
}

async function stop(code: number): Promise<never> {
  await started.catch(() => undefined)
  for (const step of undo.reverse())
    await step().catch((error) => log.error({ err: error }, 'a part did not stop cleanly'))
  process.exit(code)
}

function fail(error: unknown): void {
  if (stopping) return
  stopping = true
  if (error instanceof OperatorError) console.error(error.message)
  else log.fatal({ err: error }, 'Campanile stops')
  void stop(1)
}

/** Ctrl-C in a terminal reaches us twice, from the terminal and through npm: only a later one means "now". */
const impatience = 1_000

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  let first: number | undefined
  process.on(signal, () => {
    if (first !== undefined && Date.now() - first < impatience) return
    // The database notices our end and shuts itself down.
    if (stopping) process.exit(130)
    first = Date.now()
    stopping = true
    void stop(0)
  })
}

const started = start()
started.catch(fail)
