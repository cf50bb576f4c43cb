import { type ChildProcess, fork } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createSecureContext } from 'node:tls'
import { fileURLToPath } from 'node:url'
import type { protocol } from '@campanile/contract'
import type { Logger } from 'pino'
import type { Config } from '../platform/config.ts'
import { OperatorError } from '../platform/operator-error.ts'
import { type Admit, createAdmissions } from './admissions.ts'
import { createProbe } from './probe.ts'
import { createWatchdog, type Health } from './watchdog.ts'
import type { GatewayOptions, Happening, Head, RefusedAttempt, ToGateway, ToServer } from './wire.ts'
import { unpackBatch } from './wire-batch.ts'

/** What the server does about what the gateway tells. */
export interface Handlers {
  /** The device, or why it is not let in; in the order asked. */
  admit: Admit
  /** Resolves once everything is on disk; answers the places of what made no sense. */
  store(happenings: readonly Happening[], waiting: number): Promise<number[]>
  /** It can be sent commands from now on. */
  listens(sn: string): void
  refused(refusals: readonly RefusedAttempt[]): void
  /** Its process is gone, and every connection with it. */
  ended(): void
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
const lookPatienceMs = 5_000

/** Keeps the gateway's process running and talks to it. A server without that role has none, and reaches no device. */
export const createGateway = ({ config, log }: { config: Config; log: Logger }) => {
  const has = config.roles.includes('gateway')
  const listening = new Set<string>()
  let handlers: Handlers | undefined
  let child: ChildProcess | undefined
  let port = config.mqttPort
  let tls: Pick<GatewayOptions, 'tls'> = {}
  let isStarted = false
  let stopping = false
  let restart: NodeJS.Timeout | undefined
  const storing = new Map<number, Promise<unknown>>()
  let handed: Promise<unknown> = Promise.resolve()

  const tell = (to: ChildProcess | undefined, message: ToGateway) => {
    if (to?.connected) to.send(message)
  }
  /** Resolves when the other process has read it, or will not any more. */
  const tellAll = (to: ChildProcess, message: ToGateway) =>
    new Promise<void>((resolve) => {
      if (!to.connected) return resolve()
      to.once('exit', resolve)
      to.send(message, () => {
        to.off('exit', resolve)
        resolve()
      })
    })
  const probe = createProbe(lookPatienceMs)
  const watchdog = createWatchdog({
    log,
    beat: (beat) => tell(child, { say: 'beat', beat }),
    look: () => probe.look(config.host, port),
    // One that stands still does not hear anything gentler.
    end: () => child?.kill('SIGKILL'),
  })
  const admissions = createAdmissions(log, () => handlers?.admit)

  const hear = (from: ChildProcess, message: ToServer) => {
    switch (message.say) {
      case 'alive':
        return watchdog.alive(message.beat, message)
      case 'admit': {
        const { id } = message
        return admissions.put(message, (verdict) =>
          tell(
            from,
            typeof verdict === 'string'
              ? { say: 'turnedAway', id, reason: verdict }
              : { say: 'admitted', id, ...verdict },
          ),
        )
      }
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

  const startChild = () => {
    const mine = fork(script, [], {
      serialization: 'advanced',
      execArgv: [],
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    })
    child = mine
    return mine
  }

  /** Resolves when devices are served. The first time a port that is taken is refused; later it is waited for. */
  const open = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const mine = startChild()
      const options = { host: config.host, port, ...tls, probeHash: probe.hash }
      const listen = () => tell(mine, { say: 'start', options })
      mine.on('message', (message: ToServer) => {
        if (message.say === 'open') {
          port = message.port
          isStarted = true
          // After what the one before it has left behind, which would be taken for news of this one.
          void Promise.allSettled(storing.values()).then(() => handlers?.opened())
          void watchdog.opened().then(resolve)
        } else if (message.say === 'closed') {
          const refusal = new OperatorError(portAdvice(message.code, options))
          if (!isStarted) return reject(refusal)
          log.warn(`${refusal.message} Trying again.`)
          restart = setTimeout(listen, restartMs)
        } else hear(mine, message)
      })
      mine.on('error', (err) => log.error({ err }, 'the gateway cannot be reached'))
      mine.on('exit', (code, signal) => {
        reject(new Error(`the gateway ended with ${signal ?? code}`))
        if (child !== mine) return
        child = undefined
        listening.clear()
        admissions.clear()
        clearTimeout(restart)
        if (stopping || !isStarted) return
        watchdog.ended()
        handlers?.ended()
        log.warn({ code, signal }, 'the gateway ended; starting it again')
        restart = setTimeout(again, restartMs)
      })
      listen()
    })

  const again = () => {
    open().catch((err) => log.error({ err }, 'the gateway did not start'))
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
    /** How it is; undefined where this server has none. */
    health: (): Health | undefined => (has ? watchdog.health() : undefined),
    /** Handed over to who listens; they may still miss it, so the sender keeps it until they have answered. */
    send: (args: string, to: readonly Head[], qos?: protocol.CommandQos): ReadonlySet<string> => {
      const there = to.filter(({ sn }) => listening.has(sn))
      if (child && there.length > 0)
        handed = tellAll(child, { say: 'send', args, ...(qos !== undefined && { qos }), to: there })
      return new Set(there.map(({ sn }) => sn))
    },
    /** Resolves when what was sent last has been read, and so everything before it. */
    taken: async (): Promise<void> => {
      await handed
    },
    /** Rights of these, or of anybody, may have changed: who would not be let in again as it was is sent away. */
    askAgain: (sns?: readonly string[]) => tell(child, { say: 'askAgain', sns: sns && [...sns] }),
    start: async () => {
      if (!has) return
      if (config.brokerUrl)
        throw new OperatorError(
          'CAMPANILE_BROKER_URL is set, but devices are served by the broker that comes with the server only: leave it out.',
        )
      if (config.mqttTls) tls = { tls: readTls(config.mqttTls) }
      await open().catch((error) => {
        child?.kill('SIGKILL')
        throw error
      })
      watchdog.start()
    },
    stop: async () => {
      stopping = true
      watchdog.stop()
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
    throw new OperatorError(
      `The devices' certificate cannot be used: ${(error as Error).message}. CAMPANILE_MQTT_CERT and CAMPANILE_MQTT_KEY must name a PEM certificate and its private key, readable by this user.`,
    )
  }
}

const portAdvice = (code: string, { host, port }: GatewayOptions) =>
  code === 'EADDRINUSE'
    ? `Port ${port} on ${host}, for devices, is taken: set CAMPANILE_MQTT_PORT to a free one.`
    : `Devices cannot be listened to on ${host}:${port} (${code}): check CAMPANILE_HOST and CAMPANILE_MQTT_PORT.`
