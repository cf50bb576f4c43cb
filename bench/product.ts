import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createClient } from '@campanile/client'
import pg from 'pg'
import { connectEmbedded } from '../apps/server/src/platform/postgres/embedded.ts'
import { loadSecrets } from '../apps/server/src/platform/secrets.ts'
import { adminPassword } from './installation.ts'

const serverFolder = fileURLToPath(new URL('../apps/server', import.meta.url))

const freePort = async (): Promise<number> => {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const address = probe.address()
  probe.close()
  return typeof address === 'object' && address ? address.port : 0
}

/** What a file of a process says; nothing when the process has just ended. */
const told = (pid: number, file: string) => {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8')
  } catch {
    return ''
  }
}
const statOf = (pid: number) => told(pid, 'stat').split(') ')[1]?.split(' ') ?? []
const childrenOf = (pid: number): number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(statOf(Number(name))[1]) === pid)
    .map(Number)
const ticksPerSecond = 100
/** Seconds of processor a process has used, with those of its children that are still there. */
const secondsOf = (pid: number, withChildren = true): number =>
  (Number(statOf(pid)[11] ?? 0) + Number(statOf(pid)[12] ?? 0)) / ticksPerSecond +
  (withChildren ? childrenOf(pid).reduce((sum, child) => sum + secondsOf(child), 0) : 0)
/** Shared pages are counted once, by share: the sum over processes is what the machine really gives. */
const mebibytesOf = (pid: number): number => Number(told(pid, 'smaps_rollup').match(/^Pss:\s+(\d+)/m)?.[1] ?? 0) / 1024

export interface Use {
  server: number
  gateway: number
  database: number
}

/** The product as people run it, built, with its own processes, on free ports and in a folder that is removed. */
export const startProduct = async ({ profile }: { profile?: string | undefined } = {}) => {
  execFileSync(process.execPath, ['build.mjs'], { cwd: serverFolder })
  const dataDir = await mkdtemp(join(tmpdir(), 'campanile-bench-'))
  const mqttPort = await freePort()
  const profiled = profile ? ['--cpu-prof', `--cpu-prof-dir=${profile}`] : []
  // The gateway is given no options by its server, so for a profile of it the bundle is changed.
  if (profile) {
    for (const name of readdirSync(join(serverFolder, 'dist')).filter((each) => each.endsWith('.js'))) {
      const file = join(serverFolder, 'dist', name)
      writeFileSync(file, readFileSync(file, 'utf8').replace('execArgv: []', `execArgv: ${JSON.stringify(profiled)}`))
    }
  }
  let child: ChildProcess | undefined
  let url = ''

  const start = async () => {
    const mine = spawn(process.execPath, [...profiled, join(serverFolder, 'dist/main.js')], {
      env: {
        ...process.env,
        CAMPANILE_DATA: dataDir,
        CAMPANILE_PORT: '0',
        CAMPANILE_MQTT_PORT: String(mqttPort),
        CAMPANILE_REQUESTS_PER_MINUTE: '1000000',
        CAMPANILE_CAPTCHA: 'off',
        CAMPANILE_ADMIN_PASSWORD: adminPassword,
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    child = mine
    url = await new Promise<string>((resolve, reject) => {
      let text = ''
      mine.stdout.on('data', (chunk) => {
        text += chunk
        const address = /ready at (\S+)/.exec(text)?.[1]
        if (address) resolve(address)
      })
      mine.once('exit', () => reject(new Error(text)))
    })
  }
  const end = async (signal: NodeJS.Signals) => {
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    const ended = once(child, 'exit')
    child.kill(signal)
    await ended
  }
  const pidOf = (word: string) => childrenOf(child?.pid ?? 0).find((pid) => told(pid, 'cmdline').includes(word)) ?? 0
  const processes = () => ({
    server: child?.pid ?? 0,
    gateway: pidOf('gateway/main.js'),
    database: pidOf('postgres'),
  })

  await start()
  const secrets = await loadSecrets(dataDir)
  const connections = connectEmbedded(dataDir, secrets.database)
  const connect = async () => {
    const client = new pg.Client(connections.owner)
    client.on('error', () => undefined)
    await client.connect()
    return client
  }

  return {
    mqttPort,
    secrets,
    get url() {
      return url
    },
    owner: await connect(),
    connect,
    signIn: async () => {
      const { token } = await createClient({ baseUrl: url }).call<{ token: string }>('POST', '/api/v1/login', {
        body: { username: 'admin', password: adminPassword },
      })
      return createClient({ baseUrl: url, token: () => token })
    },
    processes,
    /** Seconds of processor so far. */
    used: (): Use => {
      const { server, gateway, database } = processes()
      return { server: secondsOf(server, false), gateway: secondsOf(gateway), database: secondsOf(database) }
    },
    /** MiB now. */
    memory: (): Use => {
      const { server, gateway, database } = processes()
      const ofDatabase = [database, ...childrenOf(database)].reduce((sum, pid) => sum + mebibytesOf(pid), 0)
      return { server: mebibytesOf(server), gateway: mebibytesOf(gateway), database: ofDatabase }
    },
    metric: async (name: string): Promise<number> => {
      const text = await (await fetch(`${url}/metrics`)).text()
      return [...text.matchAll(new RegExp(`^${name}(?:{[^}]*})? (\\S+)$`, 'gm'))].reduce(
        (sum, m) => sum + Number(m[1]),
        0,
      )
    },
    kill: () => end('SIGKILL'),
    start,
    stop: async () => {
      await end('SIGTERM')
      await connections.stop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

export const secondsUsed = (pid: number) => secondsOf(pid, false)
