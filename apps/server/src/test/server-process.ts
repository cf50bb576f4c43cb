import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

export interface ServerProcess {
  child: ChildProcess
  address: string
  /** Everything said so far on standard output and standard error. */
  said(): string
  /** Sends the signal and answers how the process ended. */
  end(signal: NodeJS.Signals): Promise<{ code: number | null; signal: NodeJS.Signals | null }>
}

export interface ServerOptions {
  dataDir: string
  env?: Record<string, string>
  uid?: number
  /** It outlives the test that starts it, and whoever starts it ends it. */
  stays?: boolean
}

/** The real server in a process of its own, on a free port. Rejects with what it said when it does not get ready. */
export async function startServer({ dataDir, env = {}, uid, stays = false }: ServerOptions): Promise<ServerProcess> {
  const child = spawn(process.execPath, [join(import.meta.dirname, '../../dist/main.js')], {
    env: {
      PATH: process.env.PATH,
      HOME: dataDir,
      CAMPANILE_DATA: dataDir,
      CAMPANILE_PORT: '0',
      CAMPANILE_MQTT_PORT: '0',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(uid === undefined ? {} : { uid, gid: uid }),
  })
  const exited = once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>
  let text = ''
  const ready = new Promise<string>((resolve) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk
        const address = /ready at (\S+)/.exec(text)?.[1]
        if (address) resolve(address)
      })
    }
  })
  const end = async (signal: NodeJS.Signals) => {
    child.kill(signal)
    const [code, by] = await exited
    return { code, signal: by }
  }
  const endWithTest = async () => {
    if (child.exitCode === null && child.signalCode === null) await end('SIGTERM')
  }
  if (!stays) onTestFinished(endWithTest)
  const failed = exited.then(() => Promise.reject(new Error(text)))
  failed.catch(() => undefined)
  return { child, end, said: () => text, address: await Promise.race([ready, failed]) }
}
