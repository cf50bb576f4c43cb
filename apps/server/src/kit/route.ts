import { AppError, commonErrors, type Endpoint, success } from '@campanile/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import { ZodError, type z } from 'zod'
import { type AuditLine, createLineGatherer, recordOperation } from '../platform/audit.ts'
import { fitsShape } from '../platform/body-shape.ts'
import type { Db } from '../platform/db.ts'
import { unlessDeadlocked } from '../platform/deadlock.ts'
import { fenced, holdingOne } from '../platform/fence.ts'
import { type Actor, fenceOf, type Scope, scopeFor } from './actor.ts'
import {
  type Answering,
  asSent,
  declared,
  type FieldCodes,
  fromZod,
  sendAnswer,
  sendError,
  toAppError,
  type Undeclared,
  withFieldCode,
} from './answer.ts'
import type { Call, Caller, Language, Note, PublicCall, TouchedRows } from './call.ts'
import { createTurns, whileThere } from './heavy.ts'
import type { LongWork } from './long-work.ts'
import { createRefusedReads, isTrespass } from './refused-reads.ts'
import { findScope, type RouteRules, scopeOf } from './rules.ts'
import { notesByPlace, touchesNamed } from './touched.ts'
import { createReceiver, type Sent, type Upload } from './upload/index.ts'

declare module 'fastify' {
  interface FastifyRequest {
    actor: Actor | null
  }
  interface FastifyContextConfig {
    /** Takes a file; `raw`: the body itself. */
    upload?: { readonly raw: boolean }
  }
}

/**
 * together: one transaction, nothing stays of a call that fails.
 * apart: what a refusal leaves behind must stay (a counted attempt, a spent code), so each statement stands for itself.
 */
type Transactions = 'oneTransaction' | 'noTransaction'

export interface Route<A = Actor | null> extends RouteRules {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  readonly path: string
  readonly input: z.ZodType
  /** What it answers; `fileAnswer` for a file. */
  readonly answer: z.ZodType
  readonly writes: boolean
  /** Writes run in one transaction together with their line in the operation log, unless they say otherwise. */
  readonly transactions?: Transactions
  /** Takes a file, which is read before a transaction begins; what became of it is the second argument of `run`. */
  readonly upload?: Upload
  readonly fieldCodes?: FieldCodes
  readonly permOf?: Endpoint['permOf']
  /** Sees no request: whatever a caller sends has been read when it is called. */
  readonly run: (call: Call<never, A>, content: never) => unknown
}

export interface KitDeps {
  readonly app: FastifyInstance
  readonly db: Db
  /** Finds out who calls; throws when the session is missing, over or not allowed from there. */
  readonly authenticate: (request: FastifyRequest, rules: RouteRules) => Promise<Actor>
  readonly callerOf: (request: FastifyRequest) => Caller
  readonly longWork: LongWork
  /** Throws when this account calls too often. */
  readonly refuseHaste: (accountId: number) => void
  readonly undeclared: Undeclared
}

export type Kit = ReturnType<typeof createKit>

type Answer<E extends Endpoint> = Promise<Answering<E['answer']>> | Answering<E['answer']>

interface TakesFile<E extends Endpoint, C> {
  /** Makes something of the bytes. No transaction is open yet. */
  readonly read: (file: Buffer, language: Language) => C | Promise<C>
  /** Undoes `read` when the rest failed: a stored file that no row names. */
  readonly discard?: (content: C) => unknown
  readonly run: (call: Call<z.output<E['input']>>, content: C) => Answer<E>
  readonly transactions?: Transactions
}

interface TakesStream<E extends Endpoint, C, A extends Actor | null> {
  /** Reads the body, or refuses to. No transaction is open yet. */
  readonly receive: (input: z.output<E['input']>, sent: Sent, actor: A) => Promise<C>
  readonly discard?: (content: C) => unknown
  readonly run: (call: Call<z.output<E['input']>, A>, content: C) => Answer<E>
}

/** What somebody changes about themselves is their own organisation's, whichever they have entered. */
const atHome = (actor: Actor | null) => actor && { ...actor, operating: null }

const nobody: Scope = { paths: [], everything: false, actorId: 0, departmentId: 0 }

/** What walks a value (checks, the log, JSON) may do so by calling itself, so the depth has an end as well. */
const shapes = {
  signedIn: { names: 2_000, groups: 2_000, elements: 25_000, depth: 32 },
  /** Nobody without an account has a list to send. */
  public: { names: 64, groups: 16, elements: 64, depth: 8 },
}
/** Of what anybody may send. The longest there is, a token of a directory, has a few thousand characters. */
const publicBytes = 16 * 1024

/** JSON is looked at before it is read: reading much that is tiny holds up everybody. */
const boundShapes = (app: FastifyInstance) => {
  const read = app.getDefaultJsonParser('error', 'error')
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    const bytes = body as Buffer
    const { rules } = request.routeOptions.config
    const most = rules && rules.perm !== 'public' ? shapes.signedIn : shapes.public
    if (fitsShape(bytes, most)) read(request, bytes.toString('utf8'), done)
    else done(new AppError(commonErrors.unreadableBody))
  })
}

/** What was sent: query and path parameters arrive as text or arrays of text, a body as JSON. */
const givenIn = (request: FastifyRequest, route: Route): unknown => {
  const fromBody = route.method !== 'GET' && !route.upload && request.body !== undefined && request.body !== null
  if (fromBody) return request.body
  const query = { ...(request.query as object), ...(request.params as object) }
  // A parameter of an address without a value is as good as none.
  return Object.fromEntries(Object.entries(query).filter(([, value]) => value !== ''))
}

/** Whether only this null stands in the way: what may be left out is not missing, it has a wrong value. */
const isWrongNull = (schema: z.ZodType, given: unknown, { code, field = '' }: AppError): boolean => {
  if (code !== commonErrors.missingParameter.code || typeof given !== 'object' || given === null) return false
  const { [field]: value, ...others } = given as Record<string, unknown>
  if (value !== null) return false
  const { error } = schema.safeParse(others)
  return !error?.issues.some(({ path }) => path[0] === field)
}

/** What was sent under another name stands under the field's own as well. */
const underOwnNames = (given: unknown, also: NonNullable<FieldCodes['also']>): unknown => {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return given
  const named = given as Readonly<Record<string, unknown>>
  const others = Object.entries(also).flatMap(([name, other]) =>
    other !== undefined && other in named && !(name in named) ? [[name, named[other]]] : [],
  )
  return { ...named, ...Object.fromEntries(others) }
}

/** An object that pretends to be a word ({"toString":1}) is none. */
const asked = (permOf: NonNullable<Route['permOf']>, given: Readonly<Record<string, unknown>>) => {
  try {
    return permOf(given)
  } catch (error) {
    throw error instanceof TypeError ? new AppError(commonErrors.wrongFormat) : error
  }
}

/** The permission that depends on what is asked for, before the rest of it is checked. */
const mustHoldFor = ({ permOf }: Pick<Route, 'permOf'>, actor: Actor, given: unknown) => {
  if (!permOf || typeof given !== 'object' || given === null) return
  const permission = asked(permOf, given as Readonly<Record<string, unknown>>)
  if (permission && !scopeFor(actor, permission)) throw new AppError(commonErrors.noPermission, { permission })
}

/** One object of the declared shape. */
const inputOf = (given: unknown, route: Route) => {
  try {
    return route.input.parse(given)
  } catch (error) {
    if (error instanceof ZodError) {
      const refusal = fromZod(error, underOwnNames(given, route.fieldCodes?.also ?? {}))
      throw isWrongNull(route.input, given, refusal)
        ? new AppError({ ...commonErrors.wrongFormat, field: refusal.field ?? '' }, refusal.data)
        : refusal
    }
    // An object that pretends to be a number ({"toString":1}) makes the check itself fail, not its rule.
    throw error instanceof TypeError || error instanceof RangeError ? new AppError(commonErrors.wrongFormat) : error
  }
}

export const createKit = ({ app, db, authenticate, callerOf, longWork, refuseHaste, undeclared }: KitDeps) => {
  app.decorateRequest('actor', null)
  boundShapes(app)
  const receive = createReceiver(app)
  /** For what is written in no transaction. */
  const recordAlone = createLineGatherer(db)
  const refusedReads = createRefusedReads((refused) =>
    recordAlone(refused).catch((err) => app.log.error({ err }, 'failure not recorded')),
  )
  app.addHook('onClose', refusedReads.stop)
  const turns = createTurns()
  /** Of uploads apart, so that a file is not held up by what a list counts beside it. */
  const uploads = createTurns()

  const add = <A extends Actor | null>(route: Route<A>) => {
    const { perm, scope, module, logged, heavy, whileExpired } = route
    const rules: RouteRules = { perm, scope, module, logged, heavy, whileExpired }
    const handler = (request: FastifyRequest, reply: FastifyReply) =>
      fenced(request.actor ? fenceOf(request.actor) : undefined, () => serve(route as unknown as Route, request, reply))
    const options: RouteOptions = {
      method: route.method,
      url: route.path,
      ...(perm === 'public' && !route.upload && { bodyLimit: publicBytes }),
      config: { rules, ...(route.upload && { upload: { raw: 'receive' in route.upload } }) },
      // Before the body is read: a stranger's bytes are not worth parsing, and leave no line in the log.
      onRequest: async (request, reply) => {
        if (perm === 'public') return
        request.actor = await authenticate(request, rules)
        refuseHaste(request.actor.id)
        // Nor are those of somebody who may not call this: they are refused, and written down, without their body.
        if (!findScope(rules, request.actor)) return handler(request, reply)
      },
      handler,
    }
    if (!options.config?.upload?.raw) return void app.route(options)
    // Nothing is parsed: whatever type is declared, the stream is what was sent.
    void app.register(async (apart) => {
      apart.removeAllContentTypeParsers()
      apart.addContentTypeParser('*', (_request, body, done) => done(null, body))
      apart.route(options)
    })
  }

  const serve = async (route: Route, request: FastifyRequest, reply: FastifyReply) => {
    const caller = callerOf(request)
    const notes: Note[] = []
    const touched: TouchedRows[] = []
    const afterCommit: (() => unknown)[] = []
    let { actor } = request
    const line = (result: 'success' | 'failed', code: number, note: Note): AuditLine => {
      const { written: _written, ...told } = note
      return {
        ...told,
        actor: note.actor ?? (route.scope === 'self' ? atHome(actor) : actor),
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
    const noted = (): Note => Object.assign({}, ...notes)
    const record = async (connection: Db, result: 'success' | 'failed', code: number) => {
      const lines = (await notesByPlace(connection, actor, noted(), touched)).map((note) => line(result, code, note))
      if (connection === db) await Promise.all(lines.map(recordAlone))
      else for (const each of lines) await recordOperation(connection, each)
    }
    const isWritten = () => route.logged !== null || notes.some(({ written }) => written)
    let content: unknown
    let endTurn: (() => void) | undefined
    let isGone = false
    const takeTurn = async () => {
      if (!route.heavy || !actor) return
      reply.raw.once('close', () => {
        isGone = true
      })
      endTurn = await (route.upload ? uploads : turns).take(actor.id, (gone) => reply.raw.once('close', gone))
    }
    const given = givenIn(request, route)
    try {
      let scope = actor ? scopeOf(route, actor) : nobody
      if (actor) mustHoldFor(route, actor, given)
      // What was sent is there and has not been looked at: a slow sender holds no turn, and nobody is checked out of turn.
      if (!route.upload) await takeTurn()
      const input = inputOf(given, route)
      if (route.upload) content = await receive(route.upload, request, { input, language: caller.language, takeTurn })
      // A file takes its time: whoever lost the right meanwhile has sent it in vain.
      if (route.upload && actor) {
        actor = await authenticate(request, route)
        scope = scopeOf(route, actor)
      }
      const run = async (connection: Db) => {
        const call = {
          actor,
          scope,
          input,
          // Nobody reads what somebody who left has asked for. What was to be changed is changed all the same.
          db: route.heavy && route.logged === null ? whileThere(connection, () => !isGone) : connection,
          caller,
          note: (note: Note) => notes.push(note),
          touched: (rows: TouchedRows['rows'], tell?: TouchedRows['tell']) => touched.push({ rows, tell }),
          afterCommit: (task: () => unknown) => afterCommit.push(task),
        } as unknown as Call<never, Actor | null>
        const answer = declared(route.answer, await route.run(call, content as never), undeclared)
        // No line, no action: both are in the same transaction, or the read waits for its line.
        if (isWritten()) await record(connection, 'success', success)
        return answer
      }
      const together = route.writes && route.transactions !== 'noTransaction'
      const whole = () => {
        // Of a call that is made again only the last words and tasks count.
        notes.length = 0
        touched.length = 0
        afterCommit.length = 0
        return db.transaction().execute((tx) => holdingOne(() => run(tx as Db)))
      }
      const answer = together ? await unlessDeadlocked(whole) : await run(db)
      // From here on a row names what was received.
      content = undefined
      for (const task of afterCommit) await task()
      return sendAnswer(reply, answer, caller.language)
    } catch (caught) {
      if (content !== undefined)
        await Promise.resolve(route.upload?.discard?.(content as never)).catch((err) =>
          request.log.warn({ err }, 'what was received stays behind'),
        )
      const codes = route.fieldCodes ?? {}
      const error = asSent(withFieldCode(toAppError(caught), codes), given, codes)
      if (error.status >= 500) request.log.error({ err: caught }, 'request failed')
      // Whoever is refused for haste must not fill the log with it.
      if (route.logged && route.writes && error.status !== 429) {
        await record(db, 'failed', error.code).catch((err) => request.log.error({ err }, 'failure not recorded'))
      }
      if (actor && !(route.logged && route.writes) && isTrespass(error))
        await refusedReads.note(actor, line('failed', error.code, noted()))
      return sendError(reply, error, caller.language)
    } finally {
      endTurn?.()
    }
  }

  const bind = (endpoint: Endpoint, module: string, run: Route['run'], transactions: Transactions, upload?: Upload) => {
    if (!endpoint.upload !== !upload) throw new Error(`${endpoint.name}: what takes a file is bound with takesFile()`)
    const reads = endpoint.method === 'GET'
    const { upload: _limits, faults, ...rest } = endpoint
    const logged = endpoint.quiet || (reads && !endpoint.personal) ? null : reads ? 'read' : 'action'
    const touchNamed = touchesNamed(endpoint.input)
    const touching: Route['run'] = async (call, content) => {
      const { actor } = call
      if (logged && actor && endpoint.scope !== 'self') await touchNamed({ ...call, actor })
      return run(call, content)
    }
    add({
      ...rest,
      ...(faults && { fieldCodes: { faults } }),
      module,
      ...(upload && { upload }),
      writes: !reads,
      transactions,
      logged,
      run: touching,
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
      run: (call: Call<z.output<E['input']>>) => Answer<E>,
      transactions: Transactions = 'oneTransaction',
    ) => {
      if (endpoint.perm === 'public') throw new Error(`${endpoint.name} is public: bind it with open()`)
      bind(endpoint, module, run as Route['run'], transactions)
    },
    /** An endpoint for anybody. */
    open: <E extends Endpoint>(
      endpoint: E,
      module: string,
      run: (call: PublicCall<z.output<E['input']>>) => Answer<E>,
      transactions: Transactions = 'oneTransaction',
    ) => {
      if (endpoint.perm !== 'public') throw new Error(`${endpoint.name} is not public: bind it with guarded()`)
      bind(endpoint, module, run as Route['run'], transactions)
    },
    /** An endpoint for people who have signed in that takes one file (multipart field `file`). */
    takesFile: <E extends Endpoint, C>(
      endpoint: E,
      module: string,
      { run, transactions = 'oneTransaction', ...how }: TakesFile<E, C>,
    ) => {
      if (endpoint.perm === 'public') throw new Error(`${endpoint.name} is public: bind it with takesStream()`)
      bind(endpoint, module, run as Route['run'], transactions, {
        maxBytes: endpoint.upload?.maxBytes ?? 0,
        ...how,
      } as Upload)
    },
    /** An endpoint for devices: the body is the file. `receive` decides by the headers whether it is read at all. */
    takesStream: <E extends Endpoint, C>(endpoint: E, module: string, { run, ...how }: TakesStream<E, C, null>) =>
      bind(endpoint, module, run as Route['run'], 'oneTransaction', how as unknown as Upload),
    /** The same for people who have signed in. */
    takesBody: <E extends Endpoint, C>(endpoint: E, module: string, { run, ...how }: TakesStream<E, C, Actor>) => {
      if (endpoint.perm === 'public') throw new Error(`${endpoint.name} is public: bind it with takesStream()`)
      bind(endpoint, module, run as Route['run'], 'oneTransaction', how as unknown as Upload)
    },
  }
}
