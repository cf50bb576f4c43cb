import { type ChildProcess, fork } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createSecureContext } from 'node:tls'
import { fileURLToPath } from 'node:url'
import type { Logger } from 'pino'
import type { Config } from '../platform/config.ts'
import { Refusal as StartRefusal } from '../platform/refusal.ts'
import type { GatewayOptions, Happening, Refusal, RefusalReason, ToGateway, ToServer } from './wire.ts'
import { unpackBatch } from './wire-batch.ts'

/** What the server does about what the gateway tells. */
export interface Handlers {
  /** The device's id, or why it is not let in; in the order asked. */
  admit(asked: readonly { sn: string; secretHash: Uint8Array }[]): Promise<(number | RefusalReason)[]>
  /** Resolves once everything is on disk; answers the places of what made no sense. */
  store(happenings: readonly Happening[], waiting: number): Promise<number[]>
  /** It can be sent commands from now on. */
  listens(sn: string): void
  refused(refusals: readonly Refusal[]): void
  /** A gateway opened its doors; nobody is connected yet. */
  opened(): void
}

// The bundle in production. From source, in tests, the bundle too: their set-up builds it.
const script = fileURLToPath(
  import.meta.url.endsWith('.ts')
    ? new URL('../../dist/gateway/main.js', import.meta.url)
    : new URL('./gateway/main.js', import.meta.url),
)
const restartMs = 500
const stopMs = 3_000
const askTogetherMs = 5

/** Keeps the gateway's process running and talks to it. A server without that role has none, and reaches no device. */
export const createGateway = ({ config, log }: { config: Config; log: Logger }) => {
  const has = config.roles.includes('gateway')
  const listening = new Set<string>()
  let handlers: Handlers | undefined
  let child: ChildProcess | undefined
  let port = config.mqttPort
  let tls: Pick<GatewayOptions, 'tls'> = {}
  let stopping = false
  let restart: NodeJS.Timeout | undefined
  const storing = new Map<number, Promise<unknown>>()
  let asked: { id: number; sn: string; secretHash: Uint8Array }[] = []

  const answerAll = async (to: ChildProcess) => {
    const batch = asked
    asked = []
    const answers = await handlers?.admit(batch).catch((err) => {
      log.error({ err }, 'devices could not be checked')
      return batch.map(() => 'unavailable' as const)
    })
    for (const [place, { id }] of batch.entries()) {
      const answer = answers?.[place] ?? 'unavailable'
      if (typeof answer === 'number') tell(to, { say: 'admitted', id, deviceId: answer })
      else tell(to, { say: 'turnedAway', id, reason: answer })
    }
  }

  const tell = (to: ChildProcess | undefined, message: ToGateway) => {
    if (to?.connected) to.send(message)
  }

  const hear = (from: ChildProcess, message: ToServer) => {
    switch (message.say) {
      case 'admit':
        if (asked.length === 0) setTimeout(() => void answerAll(from), askTogetherMs)
        asked.push(message)
        return
      case 'batch': {
        // One after the other within a lane: what befell a device is written in the order it did.
        const stored = (storing.get(message.lane) ?? Promise.resolve()).then(async () => {
          const faulty = await handlers?.store(unpackBatch(message.happenings), message.waiting)
          if (faulty) tell(from, { say: 'stored', id: message.id, faulty })
        })
        storing.set(message.lane, stored)
        stored.catch((err) => log.error({ err }, 'a batch of devices’ messages was given up'))
        return
      }
      case 'listens':
        if (!message.listens) return listening.delete(message.sn)
        listening.add(message.sn)
        return handlers?.listens(message.sn)
      case 'refused':
        return handlers?.refused(message.refusals)
    }
  }

  const open = (options: GatewayOptions): Promise<void> =>
    new Promise((resolve, reject) => {
      const mine = fork(script, [], {
        serialization: 'advanced',
        execArgv: [],
        stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      })
      child = mine
      mine.on('message', (message: ToServer) => {
        if (message.say === 'open') {
          port = message.port
          // After what the one before it has left behind, which would be taken for news of this one.
          void Promise.allSettled(storing.values()).then(() => handlers?.opened())
          resolve()
        } else if (message.say === 'closed') reject(new StartRefusal(portAdvice(message.code, options)))
        else hear(mine, message)
      })
      mine.on('error', (err) => log.error({ err }, 'the gateway cannot be reached'))
      mine.on('exit', (code, signal) => {
        reject(new Error(`the gateway ended with ${signal ?? code}`))
        if (child !== mine) return
        child = undefined
        listening.clear()
        asked = []
        if (stopping) return
        log.warn({ code, signal }, 'the gateway ended; starting it again')
        restart = setTimeout(again, restartMs)
      })
      tell(mine, { say: 'start', options })
    })

  const again = () => {
    open({ host: config.host, port, ...tls }).catch((err) => log.error({ err }, 'the gateway did not start'))
  }

  return {
    bind: (to: Handlers) => {
      handlers = to
    },
    /** Where devices find it. */
    get port() {
      return port
    },
    get pid() {
      return child?.pid
    },
    /** Handed over while the device listens; it may still miss it, so the sender keeps it until the device has answered. */
    send: (sn: string, payload: string): 'sent' | 'offline' => {
      if (!listening.has(sn)) return 'offline'
      tell(child, { say: 'send', sn, payload })
      return 'sent'
    },
    kick: (sns: readonly string[]) => tell(child, { say: 'kick', sns: [...sns] }),
    start: async () => {
      if (!has) return
      if (config.brokerUrl)
        throw new StartRefusal(
          'CAMPANILE_BROKER_URL is set, but devices are served by the broker that comes with the server only: leave it out.',
        )
      if (config.mqttTls) tls = { tls: readTls(config.mqttTls) }
      await open({ host: config.host, port: config.mqttPort, ...tls })
    },
    stop: async () => {
      stopping = true
      clearTimeout(restart)
      const mine = child
      if (!mine) return
      const ended = new Promise((resolve) => mine.once('exit', resolve))
      mine.kill('SIGTERM')
      const late = setTimeout(() => mine.kill('SIGKILL'), stopMs)
      await ended
      clearTimeout(late)
      await Promise.allSettled(storing.values())
    },
  }
}

export type Gateway = ReturnType<typeof createGateway>

const readTls = ({ cert, key }: { cert: string; key: string }) => {
  try {
    const read = { cert: readFileSync(cert, 'utf8'), key: readFileSync(key, 'utf8') }
    createSecureContext(read)
    return read
  } catch (error) {
    throw new StartRefusal(
      `The devices' certificate cannot be used: ${(error as Error).message}. CAMPANILE_MQTT_CERT and CAMPANILE_MQTT_KEY must name a PEM certificate and its private key, readable by this user.`,
    )
  }
}

const portAdvice = (code: string, { host, port }: GatewayOptions) =>
  code === 'EADDRINUSE'
    ? `Port ${port} on ${host}, for devices, is taken: set CAMPANILE_MQTT_PORT to a free one.`
    : `Devices cannot be listened to on ${host}:${port} (${code}): check CAMPANILE_HOST and CAMPANILE_MQTT_PORT.`
