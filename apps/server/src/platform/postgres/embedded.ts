import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { dataPaths } from '../data-folder.ts'
import { OperatorError } from '../operator-error.ts'
import { chooseAccount } from './account.ts'
import { appRole, databaseName, ownerRole, type Passwords, prepareCluster } from './cluster.ts'
import { type Cluster, launch } from './launch.ts'
import { clearLeftovers } from './leftovers.ts'
import { prepareRuntime } from './runtime.ts'
import { serverSettings } from './server-settings.ts'
import { openSocketHost } from './socket.ts'

/** Connections to the cluster in this data folder, whoever started it. */
export function connectEmbedded(dataDir: string, passwords: Passwords) {
  const socket = openSocketHost(dataPaths(dataDir).postgres)
  const place = { host: socket.host, port: 5432, database: databaseName }
  return {
    owner: { ...place, user: ownerRole, password: passwords.owner },
    app: { ...place, user: appRole, password: passwords.app },
    stop: async () => socket.close(),
  }
}

export interface EmbeddedOptions {
  dataDir: string
  passwords: Passwords
  log: Logger
  /** Called when the database keeps dying; nothing works without it. */
  onLost?: (error: Error) => void
  /** Over the defaults; tests trade safety for speed here. */
  settings?: Record<string, string>
}

const restartsAllowed = 5
const restartWindow = 60_000

/** PostgreSQL as our child. It is started again when it dies on its own, and dies with us whatever ends us. */
export async function startEmbedded({ dataDir, passwords, log, onLost, settings = {} }: EmbeddedOptions) {
  const folder = dataPaths(dataDir).postgres
  const account = await chooseAccount(folder)
  const cluster: Cluster = { folder, account, runtime: await prepareRuntime(dataDir, account) }
  await prepareCluster(cluster, passwords)

  const args = Object.entries({ ...serverSettings(), ...settings }).flatMap(([name, value]) => [
    '-c',
    `${name}=${value}`,
  ])
  let stopping = false
  let current = await startOnce(cluster, args, log)
  const restarts: number[] = []

  const keepAlive = async (): Promise<void> => {
    while (!stopping) {
      const [code, signal] = await current.ended
      if (stopping) return
      log.error({ code, signal }, 'PostgreSQL ended unexpectedly and is started again')
      restarts.push(Date.now())
      while (restarts[0] !== undefined && restarts[0] < Date.now() - restartWindow) restarts.shift()
      if (restarts.length > restartsAllowed)
        throw new OperatorError('PostgreSQL keeps ending; see the log lines above.')
      current = await startOnce(cluster, args, log)
    }
    // Stopped while it was starting again.
    await current.stop()
  }
  const kept = keepAlive().catch((error: Error) => {
    if (onLost) onLost(error)
    else log.fatal({ err: error }, 'PostgreSQL is lost')
  })

  const connections = connectEmbedded(dataDir, passwords)
  return {
    ...connections,
    async stop() {
      stopping = true
      await current.stop()
      await kept
      await connections.stop()
    },
  }
}

interface Running {
  ended: Promise<[code: number | null, signal: NodeJS.Signals | null]>
  stop(): Promise<void>
}

async function startOnce(cluster: Cluster, args: string[], log: Logger): Promise<Running> {
  await clearLeftovers(cluster.folder)
  const child = launch(cluster, 'postgres', args)
  const ended = once(child, 'exit') as Running['ended']
  // A failed spawn also rejects `ended`; whoever awaits it sees that, and nobody else needs to.
  ended.catch(() => undefined)
  const said = relay(child, log)
  if (!(await ready(cluster.folder, child))) {
    throw new OperatorError(`PostgreSQL did not start on ${cluster.folder}: ${said.join(' ') || 'it said nothing'}`)
  }
  const guard = guardAgainstOurDeath(child)
  ended.finally(guard.dismiss).catch(() => undefined)
  return {
    ended,
    async stop() {
      // Fast shutdown: open transactions are rolled back and everything is written.
      child.kill('SIGINT')
      await ended
    },
  }
}

/** PostgreSQL's own words go to our log; the last few explain a start that failed. */
function relay(child: ChildProcess, log: Logger): string[] {
  const last: string[] = []
  child.stdin?.on('error', () => undefined).end()
  if (child.stderr) {
    createInterface({ input: child.stderr }).on('line', (line) => {
      last.push(line)
      if (last.length > 10) last.shift()
      log[line.startsWith('LOG:') ? 'debug' : 'error']({ source: 'postgresql' }, line)
    })
  }
  return last
}

/** As pg_ctl does it: the last line of postmaster.pid becomes `ready`. Recovery after a crash may take a while. */
async function ready(folder: string, child: ChildProcess): Promise<boolean> {
  const file = join(folder, 'postmaster.pid')
  while (child.exitCode === null && child.signalCode === null) {
    const lines = (await readFile(file, 'utf8').catch(() => '')).split('\n')
    if (Number(lines[0]) === child.pid && lines[7]?.trim() === 'ready') return true
    await sleep(10)
  }
  return false
}

/** A small shell waits on a pipe that only we hold. We tell it when all is well; if we die, the pipe closes without a word. */
function guardAgainstOurDeath(postgres: ChildProcess): { dismiss(): void } {
  const shell = spawn('/bin/sh', ['-c', 'read -r word || kill -INT "$1"', 'sh', String(postgres.pid)], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  })
  shell.on('error', () => undefined)
  shell.stdin.on('error', () => undefined)
  return { dismiss: () => shell.stdin.end('dismissed\n') }
}
