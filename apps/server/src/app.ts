import { AppError, endpoints, gatewayErrors, resources } from '@campanile/contract'
import helmet from '@fastify/helmet'
import fastifyMultipart from '@fastify/multipart'
import fastifyWebsocket from '@fastify/websocket'
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify'
import type pg from 'pg'
import type { Logger } from 'pino'
import server from '../package.json' with { type: 'json' }
import { mountActivation } from './domains/activation/index.ts'
import { mountCommands } from './domains/command/index.ts'
import { leaveForeignGroups, mountDevices, mountHistory, mountWatch } from './domains/device/index.ts'
import { mountFiles } from './domains/file/index.ts'
import { mountHome } from './domains/home/index.ts'
import { createActorOf, createAuthenticate, mountIdentity } from './domains/identity/index.ts'
import { mountLicences } from './domains/licence/index.ts'
import { mountOrganisation } from './domains/organisation/index.ts'
import { mountSystem } from './domains/system/index.ts'
import { sendError, toAppError } from './kit/answer.ts'
import { callerOf } from './kit/caller.ts'
import { mountOpenApi } from './kit/openapi.routes.ts'
import { createKit, type RouteRules } from './kit/route.ts'
import { refuseUnserved } from './kit/unserved.ts'
import { type Clock, systemClock } from './platform/clock.ts'
import type { Config } from './platform/config.ts'
import { serveConsole } from './platform/console-files.ts'
import { createDb, type Db } from './platform/db.ts'
import { createRateLimit } from './platform/rate-limit.ts'
import { createSeal } from './platform/seal.ts'
import type { Secrets } from './platform/secrets.ts'
import { createSettings } from './platform/settings.ts'
import type { Services } from './services.ts'
import { createWork } from './work.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    rules?: RouteRules
  }
  interface FastifyInstance {
    /** Every route there is, with what it declares. */
    readonly routesDeclared: readonly DeclaredRoute[]
    /** What the rooms stand on. */
    readonly services: Services
  }
}

export interface DeclaredRoute {
  readonly method: string
  readonly url: string
  readonly rules: RouteRules
}

export interface AppDeps {
  readonly config: Config
  readonly secrets: Secrets
  readonly db: Db
  readonly pool: pg.Pool
  readonly log: Logger
  readonly clock?: Clock
}

/** Bodies are small here; files come as multipart with a limit of their own. */
const bodyLimit = 1024 * 1024

/**
 * Settings are read and haste is counted while a call holds its transaction. On the same connections, as many calls as
 * there are connections would wait for one another for ever.
 */
const asideSize = 2

/** Every route names who may call it and which rows it may touch, or the server does not start. */
const refuseUndeclared = (app: FastifyInstance) => {
  const declared: DeclaredRoute[] = []
  app.decorate('routesDeclared', declared)
  app.addHook('onRoute', ({ method, url, config }) => {
    const rules = config?.rules
    if (!rules?.perm || !rules.scope) throw new Error(`${String(method)} ${url} declares no permission and scope`)
    for (const each of [method].flat()) declared.push({ method: each, url, rules })
  })
}

export const createApp = async (deps: AppDeps): Promise<FastifyInstance> => {
  const { config, secrets, db, pool, log, clock = systemClock } = deps
  const app = Fastify({
    loggerInstance: log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit,
    // Only declared proxies are believed about whom they speak for.
    trustProxy: config.trustedProxies.length > 0 ? config.trustedProxies : false,
    routerOptions: {
      maxParamLength: 256,
      caseSensitive: true,
      ignoreTrailingSlash: false,
      ignoreDuplicateSlashes: false,
    },
    // A large file over a thin line takes its time; headers must come within a minute.
    requestTimeout: 600_000,
    onProtoPoisoning: 'error',
    onConstructorPoisoning: 'error',
    exposeHeadRoutes: false,
  })
  refuseUndeclared(app)
  app.setErrorHandler((error, request, reply) => sendError(reply, toAppError(error), callerOf(request).language))
  app.setNotFoundHandler((request, reply) =>
    sendError(reply, new AppError(gatewayErrors.resourceNotFound), callerOf(request).language),
  )
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
  await app.register(fastifyWebsocket, { options: { maxPayload: 16 * 1024 } })
  await app.register(fastifyMultipart, {
    limits: { files: 1, fields: 10, parts: 12, headerPairs: 50 },
    throwFileSizeLimit: true,
  })

  const aside = createDb({ ...pool.options, password: pool.options.password, max: asideSize }, { fence: false })
  const settings = createSettings({ db: aside.db, clock, seal: createSeal(secrets.sealKey) })
  const rateLimit = createRateLimit({ db: aside.db, clock })
  const actorOf = createActorOf({ db, clock, settings })
  const work = createWork({ config, secrets, db, pool, log, settings, rateLimit, actorOf })
  const authenticate = createAuthenticate({ db, clock, settings })
  const kit = createKit({ app, db, callerOf, authenticate, longWork: work.longWork })
  const services: Services = { config, secrets, db, pool, log, clock, settings, rateLimit, app, kit, ...work }
  app.decorate('services', services)
  mountIdentity(services)
  mountOrganisation(
    services,
    [
      { kind: 'person', table: 'sys_user' },
      { kind: 'device', table: 'device' },
    ],
    leaveForeignGroups,
  )
  mountDevices(services, mountCommands(services))
  mountHistory(services)
  mountWatch(services)
  mountLicences(services)
  mountActivation(services)
  mountFiles(services)
  mountSystem(services)
  mountHome(services)
  refuseUnserved(resources, app.routesDeclared)
  mountOpenApi(kit, resources, endpoints, server.version)
  await serveConsole(app)
  app.addHook('onReady', work.start)
  app.addHook('onClose', work.stop)
  app.addHook('onClose', aside.close)
  return app
}
