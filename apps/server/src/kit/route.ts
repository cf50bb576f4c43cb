import {
  type AnswerOf,
  AppError,
  type Endpoint,
  gatewayErrors,
  type Perm,
  type ScopeKind,
  success,
} from '@campanile/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import type { z } from 'zod'
import { type AuditLine, recordOperation } from '../platform/audit.ts'
import type { Db } from '../platform/db.ts'
import { unlessDeadlocked } from '../platform/deadlock.ts'
import { fenced } from '../platform/fence.ts'
import { type Actor, fenceOf, platformScopeFor, type Scope, scopeFor, selfScope } from './actor.ts'
import { type FieldCodes, sendAnswer, sendError, toAppError, withFieldCode } from './answer.ts'
import type { Call, Caller, Note, PublicCall } from './call.ts'
import type { LongWork } from './long-work.ts'

/** What every route declares. A route without all of it does not start: see `app.ts`. */
export interface RouteRules {
  readonly perm: Perm
  readonly scope: ScopeKind
  readonly module: string
  /** What the operation log calls it; `null` leaves no line. */
  readonly logged: string | null
  /** Answered although the caller's password is too old. */
  readonly whileExpired?: boolean | undefined
}

declare module 'fastify' {
  interface FastifyRequest {
    actor: Actor | null
  }
}

/**
 * together: one transaction, nothing stays of a call that fails.
 * apart: what a refusal leaves behind must stay (a counted attempt, a spent code), so each statement stands for itself.
 */
type Steps = 'together' | 'apart'

export interface Route<A = Actor | null> extends RouteRules {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  readonly path: string
  readonly input: z.ZodType
  readonly writes: boolean
  /** Writes run in one transaction together with their line in the operation log, unless they say otherwise. */
  readonly steps?: Steps
  readonly upload?: { readonly maxBytes: number; readonly raw?: true } | undefined
  readonly fieldCodes?: FieldCodes
  readonly run: (call: Call<never, A>, request: FastifyRequest) => unknown
}

export interface KitDeps {
  readonly app: FastifyInstance
  readonly db: Db
  /** Finds out who calls; throws when the session is missing, over or not allowed from there. */
  readonly authenticate: (request: FastifyRequest, rules: RouteRules) => Promise<Actor>
  readonly callerOf: (request: FastifyRequest) => Caller
  readonly longWork: LongWork
}

export type Kit = ReturnType<typeof createKit>

const nobody: Scope = { paths: [], everything: false, actorId: 0, departmentId: 0 }

/** The rows an actor may touch through a route; refuses when there are none. */
export const scopeOf = (rules: RouteRules, actor: Actor): Scope => {
  const scope =
    rules.scope === 'self' || rules.scope === 'public'
      ? scopeFor(actor, rules.perm) && selfScope(actor)
      : rules.scope === 'platform'
        ? platformScopeFor(actor, rules.perm)
        : scopeFor(actor, rules.perm)
  if (scope) return scope
  // Somebody without any role still owns their own profile, password and log-out.
  if (rules.perm === 'signedIn') return selfScope(actor)
  throw new AppError(gatewayErrors.noPermission, { permission: rules.perm })
}

/** Query and path parameters arrive as text or arrays of text, a body as JSON; one object of the declared shape comes out. */
const inputOf = (request: FastifyRequest, route: Route) => {
  const query = { ...(request.query as object), ...(request.params as object) }
  const fromBody = route.method !== 'GET' && !route.upload && request.body !== undefined && request.body !== null
  return route.input.parse(fromBody ? request.body : query)
}

export const createKit = ({ app, db, authenticate, callerOf, longWork }: KitDeps) => {
  app.decorateRequest('actor', null)

  const add = <A extends Actor | null>(route: Route<A>) => {
    const { perm, scope, module, logged, whileExpired } = route
    const rules: RouteRules = { perm, scope, module, logged, whileExpired }
    const options: RouteOptions = {
      method: route.method,
      url: route.path,
      config: { rules },
      // Before the body is read: a stranger's bytes are not worth parsing, and leave no line in the log.
      onRequest: async (request) => {
        if (perm !== 'public') request.actor = await authenticate(request, rules)
      },
      handler: (request, reply) =>
        fenced(request.actor ? fenceOf(request.actor) : undefined, () =>
          serve(route as unknown as Route, request, reply),
        ),
    }
    if (!route.upload?.raw) return void app.route(options)
    // Nothing is parsed: whatever type is declared, the function gets the stream.
    void app.register(async (apart) => {
      apart.removeAllContentTypeParsers()
      apart.addContentTypeParser('*', (_request, body, done) => done(null, body))
      apart.route(options)
    })
  }

  const serve = async (route: Route, request: FastifyRequest, reply: FastifyReply) => {
    const caller = callerOf(request)
    const notes: Note[] = []
    const later: (() => unknown)[] = []
    const { actor } = request
    const line = (result: 'success' | 'failed', code: number): AuditLine => {
      const note: Note = Object.assign({}, ...notes)
      return {
        ...note,
        actor: note.actor ?? actor,
        clientIp: caller.ip,
        host: caller.host,
        userAgent: caller.userAgent,
        route: `${route.method} ${route.path}`,
        module: route.module,
        type: note.type ?? route.logged ?? 'action',
        result,
        code,
      }
    }
    try {
      const scope = actor ? scopeOf(route, actor) : nobody
      const input = inputOf(request, route)
      const run = async (connection: Db) => {
        const call = {
          actor,
          scope,
          input,
          db: connection,
          caller,
          note: (note: Note) => notes.push(note),
          afterCommit: (task: () => unknown) => later.push(task),
        } as unknown as Call<never, Actor | null>
        const answer = await route.run(call, request)
        // No line, no action: both are in the same transaction, or the read waits for its line.
        if (route.logged) await recordOperation(connection, line('success', success))
        return answer
      }
      const together = route.writes && route.steps !== 'apart'
      const whole = () => {
        // Of a call that is made again only the last words and tasks count.
        notes.length = 0
        later.length = 0
        return db.transaction().execute((tx) => run(tx as Db))
      }
      // A file is read once; what takes one is not made again.
      const answer = together ? await (route.upload ? whole() : unlessDeadlocked(whole)) : await run(db)
      for (const task of later) await task()
      return sendAnswer(reply, answer)
    } catch (caught) {
      const error = withFieldCode(toAppError(caught), route.fieldCodes ?? {})
      if (error.status >= 500) request.log.error({ err: caught }, 'request failed')
      // Whoever is refused for haste must not fill the log with it.
      if (route.logged && route.writes && error.status !== 429) {
        await recordOperation(db, line('failed', error.code)).catch((err) =>
          request.log.error({ err }, 'failure not recorded'),
        )
      }
      return sendError(reply, error, caller.language)
    }
  }

  const bind = (endpoint: Endpoint, module: string, run: Route['run'], steps: Steps) => {
    const reads = endpoint.method === 'GET'
    add({
      ...endpoint,
      module,
      upload: endpoint.upload,
      writes: !reads,
      steps,
      logged: endpoint.quiet || (reads && !endpoint.personal) ? null : reads ? 'read' : 'action',
      run,
    })
  }

  return {
    add,
    db,
    longWork,
    /** An endpoint for people who have signed in. */
    guarded: <E extends Endpoint>(
      endpoint: E,
      module: string,
      run: (call: Call<z.output<E['input']>>, request: FastifyRequest) => Promise<AnswerOf<E> | object> | object,
      steps: Steps = 'together',
    ) => {
      if (endpoint.perm === 'public') throw new Error(`${endpoint.name} is public: bind it with open()`)
      bind(endpoint, module, run as Route['run'], steps)
    },
    /** An endpoint for anybody. */
    open: <E extends Endpoint>(
      endpoint: E,
      module: string,
      run: (call: PublicCall<z.output<E['input']>>, request: FastifyRequest) => Promise<AnswerOf<E> | object> | object,
      steps: Steps = 'together',
    ) => {
      if (endpoint.perm !== 'public') throw new Error(`${endpoint.name} is not public: bind it with guarded()`)
      bind(endpoint, module, run as Route['run'], steps)
    },
  }
}
