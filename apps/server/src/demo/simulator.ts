import { type ChildProcess, spawn } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import type { Logger } from 'pino'
import type { Db } from '../platform/db.ts'
import { plan } from './fleet-plan.ts'

/** Where the fleet finds the server. */
interface Whereabouts {
  readonly mqttUrl: string
  readonly serverUrl: string
}
interface Living {
  sn: string
  type: number
  model: string | null
}

// Beside the server, seen from its bundle and from its source.
export const simulatorScript = fileURLToPath(
  import.meta.url.endsWith('.ts')
    ? new URL('../../../simulator/dist/simulator.js', import.meta.url)
    : new URL('../../simulator/dist/simulator.js', import.meta.url),
)
/** Three hundred devices need little; the default would take what the machine offers. */
export const smallHeap = ['--max-old-space-size=128', '--max-semi-space-size=1']
const restartMs = 2_000
const stopMs = 3_000

/** A new password for each device that lives; what people have revoked, moved out or deleted stays silent. */
const giveCredentials = async (db: Db) => {
  const sns = plan.filter(({ goneDays }) => goneDays === undefined).map(({ sn }) => sn)
  const { rows } = await sql<Living>`select sn, device_type as type, model from device
    where sn = any(${sns}) and credential_hash is not null order by sn`.execute(db)
  const living = rows.map((each) => ({ ...each, password: randomBytes(32).toString('base64url') }))
  const hashes = living.map(({ password }) => createHash('sha256').update(password).digest('base64'))
  await sql`update device t set credential_hash = decode(u.hash, 'base64'), credential_version = credential_version + 1
    from unnest(${living.map(({ sn }) => sn)}::text[], ${hashes}::text[]) as u(sn, hash) where t.sn = u.sn`.execute(db)
  return living
}

/** The demonstration's devices, alive in a process of their own that ends with ours, however ours ends. */
export const createDemoFleet = async ({ db, log }: { db: Db; log: Logger }) => {
  const living = await giveCredentials(db)
  let child: ChildProcess | undefined
  let restart: NodeJS.Timeout | undefined
  let stopping = false

  const open = (where: Whereabouts) => {
    const mine = spawn(process.execPath, [...smallHeap, simulatorScript, '--demo', '--credentials', '-'], {
      stdio: ['pipe', 'ignore', 'inherit'],
      env: { PATH: process.env.PATH },
    })
    child = mine
    mine.on('error', (err) => log.error({ err }, 'the simulated devices cannot be started'))
    mine.stdin?.on('error', () => undefined)
    mine.on('exit', (code, signal) => {
      if (stopping) return
      log.warn({ code, signal }, 'the simulated devices ended; starting them again')
      restart = setTimeout(open, restartMs, where)
    })
    // An empty line ends the list. The pipe stays open: its end tells the fleet that we are gone.
    for (const { model, ...each } of living)
      mine.stdin?.write(`${JSON.stringify({ ...each, ...where, ...(model && { model }) })}\n`)
    mine.stdin?.write('\n')
  }

  return {
    size: living.length,
    start: (where: Whereabouts) => {
      if (existsSync(simulatorScript)) open(where)
      else log.warn('the simulator is not built, so the demonstration’s devices stay offline: run npm run build')
    },
    stop: async () => {
      stopping = true
      clearTimeout(restart)
      const mine = child
      if (!mine || mine.exitCode !== null || mine.signalCode !== null) return
      const ended = new Promise((resolve) => mine.once('exit', resolve))
      mine.stdin?.end()
      const late = setTimeout(() => mine.kill('SIGKILL'), stopMs)
      await ended
      clearTimeout(late)
    },
  }
}
