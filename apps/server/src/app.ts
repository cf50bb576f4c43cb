import type { Readable } from 'node:stream'
import { AppError, commonErrors, endpoints, protocol, resources } from '@campanile/contract'
import helmet from '@fastify/helmet'
import fastifyWebsocket from '@fastify/websocket'
import Fastify, { type FastifyBaseLogger, type FastifyInstance, type FastifyRequest, LogController } from 'fastify'
import type pg from 'pg'
import type { Logger } from 'pino'
import server from '../package.json' with { type: 'json' }
import { createActorOf, createAuthenticate } from './domains/identity/index.ts'
import { sendError, toAppError, type Undeclared } from './kit/answer.ts'
import { callerOf } from './kit/caller.ts'
import { refuseCredentialsInAddress } from './kit/credentials-in-address.ts'
import { createNeeds } from './kit/needs.ts'
import { mountOpenApi } from './kit/openapi/index.ts'
import { createKit } from './kit/route.ts'
import type { RouteRules } from './kit/rules.ts'
import { refuseUnreadable } from './kit/unreadable.ts'
import { refuseUnserved } from './kit/unserved.ts'
import { type BodyPace, bodyPace, createBodies, headersMs, longestDeviceBodyMs } from './platform/body-pace.ts'
import { type Clock, systemClock } from './platform/clock.ts'
import type { Config } from './platform/config.ts'
import { serveConsole } from './platform/console-files.ts'
import { createDb, type Db } from './platform/db.ts'
import { createHaste } from './platform/haste.ts'
import { createRateLimit } from './platform/rate-limit.ts'
import { createSeal } from './platform/seal.ts'
import type { Secrets } from './platform/secrets.ts'
import { createSettings } from './platform/settings.ts'
import { type Doors, openRooms } from './room.ts'
import { rooms } from './rooms.ts'
import type { Services } from './services.ts'
import { createWork } from './work.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    rules?: RouteRules
    /** Speaks WebSocket. */
    live?: boolean
  }
  interface FastifyInstance {
    /** Every route there is, with what it declares. */
    readonly routesDeclared: readonly DeclaredRoute[]
    /** What the rooms stand on. */
    readonly services: Services
    /** What the rooms offer each other. */
    readonly doors: Doors<typeof rooms>
  }
}

export interface DeclaredRoute {
  readonly method: string
  readonly url: string
  readonly rules: RouteRules
  /** Takes a file. */
  readonly upload?: { readonly raw: boolean } | undefined
}

export interface AppDeps {
  readonly config: Config
  readonly secrets: Secrets
  readonly db: Db
  readonly pool: pg.Pool
  readonly log: Logger
  readonly clock?: Clock
  /** Shortened by tests. */
  readonly pace?: BodyPace
  /** Tests refuse an answer with more in it than its route declares; where people work, that is left out. */
  readonly undeclared?: Undeclared
}

/** Bodies are small here; files have limits of their own. */
const bodyLimit = 1024 * 1024
/** A stop waits this long for requests that are being answered; then their connections are cut. */
const requestPatienceMs = 5_000
/** And this long for browsers to confirm that their live connection closes. */
const livePatienceMs = 1_000

/**
 * Settings are read and haste is counted while a call holds its transaction. On the same connections, as many calls as
 * there are connections would wait for one another for ever.
 */
const asideSize = 2
/** They are single rows found by their key: one that takes this long is stuck. */
const asideStatementMs = 10_000
/** Longer than that a start has failed. */
const startMs = 120_000

/** Every route names who may call it and which rows it may touch, or the server does not start. */
const refuseUndeclared = (app: FastifyInstance) => {
  const declared: DeclaredRoute[] = []
  app.decorate('routesDeclared', declared)
  app.addHook('onRoute', ({ method, url, config }) => {
    const rules = config?.rules
    if (!rules?.perm || !rules.scope) throw new Error(`${String(method)} ${url} declares no permission and scope`)
    for (const each of [method].flat()) declared.push({ method: each, url, rules, upload: config?.upload })
  })
}

/** Every body is read at a bounded pace, and none keeps the server from stopping. */
const boundBodies = (app: FastifyInstance, pace: BodyPace) => {
  const bodies = createBodies(pace)
  const hasBody = (headers: FastifyRequest['headers']) =>
    headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
  // Before anything can refuse it.
  app.addHook('onRequest', async ({ raw, headers }) => {
    if (hasBody(headers)) bodies.keepReading(raw)
  })
  app.addHook('preParsing', async (request, _reply, body) => {
    if (!hasBody(request.headers)) return body
    const isFile = request.routeOptions.config?.upload?.raw
    return bodies.paced(body as Readable, isFile ? longestDeviceBodyMs : undefined)
  })
  app.addHook('onResponse', async (request) => {
    if (hasBody(request.headers)) bodies.dismiss(request.raw)
  })
  let timer: NodeJS.Timeout | undefined
  app.addHook('preClose', async () => {
    bodies.stop()
    timer = setTimeout(() => app.server.closeAllConnections(), requestPatienceMs)
  })
  app.addHook('onClose', async () => clearTimeout(timer))
}

/** What is said to one person is kept by no browser and no proxy. Answers that may be kept say so themselves. */
const keepNothing = (app: FastifyInstance) =>
  app.addHook('onSend', async (_request, reply) => {
    if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store')
  })

/** Browsers are told to come back; one that does not answer holds up nobody. */
function endLive(this: FastifyInstance, done: () => void) {
  const { clients } = this.websocketServer
  for (const client of clients) client.close(1001)
  const timer = setTimeout(() => {
    for (const client of clients) client.terminate()
  }, livePatienceMs)
  this.websocketServer.close(() => {
    clearTimeout(timer)
    done()
  })
}

export const createApp = async (deps: AppDeps): Promise<FastifyInstance> => {
  const { config, secrets, db, pool, log, clock = systemClock, pace = bodyPace, undeclared = 'leaveOut' } = deps
  const app = Fastify({
    loggerInstance: log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit,
    // What is done before the first answer (files are looked through, keys read) takes its time on a busy machine.
    pluginTimeout: startMs,
    // Only declared proxies are believed about whom they speak for.
    trustProxy: config.trustedProxies.length > 0 ? config.trustedProxies : false,
    routerOptions: {
      maxParamLength: 256,
      caseSensitive: true,
      ignoreTrailingSlash: false,
      ignoreDuplicateSlashes: false,
    },
    // The last resort: each body has a limit of its own (platform/body-pace.ts).
    requestTimeout: longestDeviceBodyMs + headersMs,
    http: {
      headersTimeout: Math.min(headersMs, pace.quietMs),
      connectionsCheckingInterval: Math.min(1_000, pace.quietMs),
    },
    clientErrorHandler: refuseUnreadable,
    frameworkErrors: (error, request, reply) => sendError(reply, toAppError(error), callerOf(request).language),
    onProtoPoisoning: 'error',
    onConstructorPoisoning: 'error',
    exposeHeadRoutes: false,
  })
  refuseUndeclared(app)
  app.setErrorHandler((error, request, reply) => sendError(reply, toAppError(error), callerOf(request).language))
  app.setNotFoundHandler((request, reply) =>
    sendError(
      reply,
      new AppError(
        commonErrors.resourceNotFound,
        // A device's client reads of its own few addresses instead.
        request.url.startsWith(protocol.devicePaths)
          ? {}
          : { path: `${request.method} ${request.url.replace(/\?.*/s, '').slice(0, 128)}` },
      ),
      callerOf(request).language,
    ),
  )
  boundBodies(app, pace)
  app.addHook('onRequest', refuseCredentialsInAddress)
  await app.register(helmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        scriptSrc: ["'self'"],
        // Ant Design writes its styles at run time
        styleSrc: ["'self'", "'unsafe-inline'"],
        imgSrc: ["'self'", 'data:', 'blob:'],
        fontSrc: ["'self'"],
        connectSrc: ["'self'"],
        manifestSrc: ["'self'"],
        workerSrc: ["'self'", 'blob:'],
        frameSrc: ["'self'"],
        objectSrc: ["'none'"],
        baseUri: ["'none'"],
        formAction: ["'self'"],
        frameAncestors: ["'self'"],
      },
    },
    referrerPolicy: { policy: 'no-referrer' },
    // Only meaningful behind TLS, where the proxy that ends it decides
    strictTransportSecurity: false,
  })
  await app.register(fastifyWebsocket, {
    options: { maxPayload: 16 * 1024 },
    preClose: endLive,
    // What a browser sends wrongly ends its connection and is no fault of ours; what it sent is not for the log.
    errorHandler: (error, socket, request) => {
      request.log.warn({ reason: error.message }, 'live connection ended')
      socket.terminate()
    },
  })
  app.addHook('onRequest', async (request) => {
    if (request.ws && !request.routeOptions.config?.live) throw new AppError(commonErrors.resourceNotFound)
  })
  keepNothing(app)

  const aside = createDb(
    { ...pool.options, password: pool.options.password, max: asideSize, statement_timeout: asideStatementMs },
    { fence: false },
  )
  const settings = createSettings({ db: aside.db, clock, seal: createSeal(secrets.sealKey) })
  const rateLimit = createRateLimit({ db: aside.db, clock })
  const actorOf = createActorOf({ db, clock, settings })
  const work = createWork({ config, secrets, db, pool, log, settings, rateLimit, actorOf })
  const authenticate = createAuthenticate({ db, clock, settings })
  const refuseHaste = createHaste(config.requestsPerMinute)
  const kit = createKit({ app, db, callerOf, authenticate, longWork: work.longWork, refuseHaste, undeclared })
  const services: Services = {
    config,
    secrets,
    db,
    pool,
    log,
    clock,
    settings,
    rateLimit,
    app,
    kit,
    needs: createNeeds(),
    ...work,
  }
  app.decorate('services', services)
  app.decorate('doors', openRooms(rooms, services))
  refuseUnserved(resources, app.routesDeclared)
  mountOpenApi(kit, resources, endpoints, server.version)
  await serveConsole(app)
  app.addHook('onReady', work.start)
  app.addHook('onReady', work.longWork.storedFiles.describeStored)
  app.addHook('onClose', work.stop)
  app.addHook('onClose', aside.close)
  return app
}
