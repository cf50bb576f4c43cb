import { createHash } from 'node:crypto'
import {
  AppError,
  type Broken,
  commonErrors,
  type Faults,
  fileAnswer,
  fileErrors,
  partialSuccess,
  protocol,
  success,
} from '@campanile/contract'
import type { FastifyReply } from 'fastify'
import { ZodError, type z } from 'zod'
import { deviceErrorText, errorText, textOf } from '../platform/texts.ts'
import type { Language } from './call.ts'

/** Sent as it is instead of in an envelope: downloads, pictures. */
export class RawAnswer {
  readonly send: (reply: FastifyReply) => FastifyReply
  constructor(send: (reply: FastifyReply) => FastifyReply) {
    this.send = send
  }
}
/** 100028: done in part; the console shows `data` and leaves the list as it is. */
export class PartialAnswer<T = unknown> {
  readonly data: T
  constructor(data: T) {
    this.data = data
  }
}
/** Hardly ever changes: the browser keeps it and asks whether it is still right. */
export class KeptAnswer<T = unknown> {
  readonly data: T
  constructor(data: T) {
    this.data = data
  }
}

/** What a function may answer where its route declares this. */
export type Answering<A extends z.ZodType> = [z.output<A>] extends [never]
  ? RawAnswer
  : z.output<A> | PartialAnswer<z.output<A>> | KeptAnswer<z.output<A>>

const sendKept = (reply: FastifyReply, body: string) => {
  const etag = `"${createHash('sha256').update(body).digest('base64url')}"`
  reply.header('etag', etag).header('cache-control', 'private, no-cache').type('application/json')
  return reply.request.headers['if-none-match'] === etag ? reply.status(304).send() : reply.send(body)
}

export const sendAnswer = (reply: FastifyReply, answer: unknown, language: Language) => {
  if (answer instanceof RawAnswer) return answer.send(reply)
  if (answer instanceof PartialAnswer)
    return reply.send({ code: partialSuccess, message: errorText(partialSuccess, language), data: answer.data })
  if (answer instanceof KeptAnswer)
    return sendKept(reply, JSON.stringify({ code: success, message: 'ok', data: answer.data }))
  return reply.send({ code: success, message: 'ok', data: answer })
}

/** The first name that a value has and what became of it has not. */
const leftOut = (value: unknown, kept: unknown, path: string): string | undefined => {
  if (typeof value !== 'object' || value === null || value === kept) return undefined
  for (const [name, each] of Object.entries(value)) {
    if (each === undefined) continue
    const here = path === '' ? name : `${path}.${name}`
    const found = Object.hasOwn(kept as object, name)
      ? leftOut(each, (kept as Record<string, unknown>)[name], here)
      : here
    if (found) return found
  }
  return undefined
}

const fit = (answer: z.ZodType, value: unknown, undeclared: Undeclared): unknown => {
  const parsed = answer.safeParse(value)
  // A ZodError would be taken for a fault of the caller.
  if (!parsed.success) throw new Error(`an answer is not as declared: ${parsed.error.message}`)
  const name = undeclared === 'refuse' ? leftOut(value, parsed.data, '') : undefined
  if (name) throw new Error(`an answer holds what is not declared: ${name}`)
  return parsed.data
}

/** What happens to a part of an answer that its route does not declare; tests refuse it, so that it is found. */
export type Undeclared = 'leaveOut' | 'refuse'

/** Nothing leaves the server that its route does not declare. What does not fit is our fault, and undoes what was done. */
export const declared = (answer: z.ZodType, value: unknown, undeclared: Undeclared): unknown => {
  if (answer === fileAnswer) {
    if (value instanceof RawAnswer) return value
    throw new Error('a file is declared, something else is answered')
  }
  if (value instanceof RawAnswer) throw new Error('a file is answered, something else is declared')
  if (value instanceof PartialAnswer) return new PartialAnswer(fit(answer, value.data, undeclared))
  if (value instanceof KeptAnswer) return new KeptAnswer(fit(answer, value.data, undeclared))
  return fit(answer, value, undeclared)
}

/** SQLSTATE: no connection, no room for one, shutting down. */
const databaseIsAway = /^(08|53|57P)[0-9A-Z]{2,3}$/
/** What the driver says without a code. */
const lineIsDown =
  /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection)/
/** A socket that is not there, or was cut. A file that is missing has the code of a missing socket, but is never connected to. */
const lineFaults = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
])

/** The database's way of saying "later", told apart from its way of saying "never". */
const isOutage = (error: { code?: unknown; syscall?: unknown; message?: unknown }) => {
  const { code, syscall, message } = error
  if (typeof code !== 'string') return lineIsDown.test(String(message))
  if (databaseIsAway.test(code)) return true
  return code === 'ENOENT' ? syscall === 'connect' : lineFaults.has(code)
}

/** The file store's and PostgreSQL's words for a full disk. Nothing half-written stays; with space it works again. */
const isDiskFull = ({ code }: { code?: unknown }) => code === 'ENOSPC' || code === 'EDQUOT' || code === '53100'

/** Errors of the HTTP layer itself (too large, malformed JSON, wrong media type) and of ours, in one shape. */
export const toAppError = (error: unknown): AppError => {
  if (error instanceof AppError) return error
  if (error instanceof ZodError) return fromZod(error)
  const { statusCode, code } = error as { statusCode?: number; code?: string }
  if (statusCode === 413) return new AppError(commonErrors.bodyTooLarge)
  if (statusCode === 404) return new AppError(commonErrors.resourceNotFound)
  if (statusCode === 429) return new AppError(commonErrors.rateLimit)
  if (statusCode && statusCode >= 400 && statusCode < 500) return new AppError(commonErrors.unreadableBody)
  if (isDiskFull(error as { code?: unknown })) return new AppError(fileErrors.diskFull)
  // 22: a value PostgreSQL cannot hold (NUL byte, number out of range) is the caller's, not ours
  if (typeof code === 'string' && /^22/.test(code)) return new AppError(commonErrors.wrongFormat)
  return new AppError(isOutage(error as object) ? commonErrors.serviceTimeout : commonErrors.serverError)
}

/** As far as what was sent reaches: an entry of a list that nobody sent is the list itself. */
const sentPath = (given: unknown, path: readonly PropertyKey[]): PropertyKey[] => {
  const sent: PropertyKey[] = []
  let at = given
  for (const key of path) {
    if (typeof at !== 'object' || at === null) break
    sent.push(key)
    at = (at as Record<PropertyKey, unknown>)[key]
  }
  return sent
}
const valueAt = (given: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>((at, key) => (at as Record<PropertyKey, unknown> | null | undefined)?.[key], given)

const isBlank = (value: unknown) => value === undefined || value === null || value === ''

type Issue = ZodError['issues'][number]

const isMissing = (issue: Issue, given: unknown, path: readonly PropertyKey[]): boolean =>
  (issue.code === 'invalid_type' && /received (undefined|null)/.test(issue.message)) ||
  // An id of an address is read as a number first, whatever is there.
  (given !== undefined && path.length > 0 && isBlank(valueAt(given, path))) ||
  // Nothing but blanks, or a list without an entry, is as good as nothing.
  (issue.code === 'too_small' && issue.minimum === 1 && ['string', 'array'].includes(issue.origin))

/** Names the field; the value is never echoed. `given` is what was sent, where it is known. */
export const fromZod = (error: ZodError, given?: unknown) => {
  const isTooMany = (issue: Issue) => issue.code === 'too_big' && issue.origin === 'array'
  // More than may be worked on at once is told before what one of them is (behaviour: api.many).
  const issue = error.issues.find(isTooMany) ?? error.issues[0]
  if (!issue) return new AppError(commonErrors.wrongFormat)
  if (issue.code === 'unrecognized_keys') {
    const field = String(issue.keys[0]).slice(0, 64)
    return new AppError({ ...commonErrors.unknownField, field }, { field })
  }
  const path = given === undefined ? issue.path : sentPath(given, issue.path)
  const field = path.join('.').slice(0, 64)
  // The whole of it is of another kind: no field is to blame.
  if (field === '') return new AppError(commonErrors.wrongFormat)
  if (field === 'page' || field === 'pageSize') return new AppError({ ...commonErrors.pageWrong, field })
  if (issue.code === 'too_big' && issue.origin === 'array')
    return new AppError({ ...commonErrors.tooMany, field }, { field, limit: Number(issue.maximum) })
  const broken = issue.code === 'custom' ? (issue.params as Omit<Broken, 'field'> | undefined) : undefined
  if (broken?.error) return new AppError({ ...broken.error, field }, { ...broken.data, field })
  if (isMissing(issue, given, path)) return new AppError({ ...commonErrors.missingParameter, field }, { field })
  const allowed = issue.code === 'invalid_value' ? { allowed: issue.values } : {}
  return new AppError({ ...commonErrors.wrongFormat, field }, { field, ...allowed })
}

/** Codes that fields of one route name for themselves. */
export interface FieldCodes {
  /** Instead of "missing" and "wrong format" (`answering`). */
  readonly faults?: Readonly<Record<string, Faults | undefined>>
  /** Instead of "unknown": a field that is locked after the first save (`once`). */
  readonly locked?: Readonly<Record<string, number | undefined>>
  /** Other names the wire knows fields by; an error speaks of a field by the name it was sent under. */
  readonly also?: Readonly<Record<string, string | undefined>>
}

const codeOf = (code: number, field: string, { faults, locked }: FieldCodes): number | undefined => {
  switch (code) {
    case commonErrors.missingParameter.code:
      return faults?.[field]?.missing
    case commonErrors.wrongFormat.code:
    case commonErrors.pageWrong.code:
      return faults?.[field]?.wrong
    case commonErrors.unknownField.code:
      return locked?.[field]
    default:
      return undefined
  }
}

/** Only for what the input itself got wrong; a rule that names a field has its own code already. */
export const withFieldCode = (error: AppError, codes: FieldCodes): AppError => {
  const field = error.field?.split('.')[0]
  const code = field && codeOf(error.code, field, codes)
  return code && field ? new AppError({ code, status: error.status, field }, error.data) : error
}

/** The same error about the field by the name that was sent. */
export const asSent = (error: AppError, given: unknown, { also = {} }: FieldCodes): AppError => {
  const [field = '', ...rest] = error.field?.split('.') ?? []
  const other = also[field]
  const sent = typeof given === 'object' && given !== null ? given : {}
  if (other === undefined || Object.hasOwn(sent, field) || !Object.hasOwn(sent, other)) return error
  const name = [other, ...rest].join('.')
  const data = error.data && 'field' in error.data ? { ...error.data, field: name } : error.data
  return new AppError({ code: error.code, status: error.status, field: name }, data)
}

/** What a value may be, where it is one of a few. A code of the field's own says that itself. */
const inWords = ({ code, data }: AppError, language: Language) =>
  code === commonErrors.wrongFormat.code && Array.isArray(data?.allowed)
    ? ` ${textOf('sheet.allowed', language, { values: data.allowed.join(textOf('sheet.and', language)) })}`
    : ''

export const sendError = (reply: FastifyReply, error: AppError, language: Language) => {
  if (typeof error.data?.retryAfter === 'number') reply.header('retry-after', String(error.data.retryAfter))
  const said = reply.request.url.startsWith(protocol.devicePaths) ? deviceErrorText : errorText
  return reply.status(error.status).send({
    code: error.code,
    message: `${said(error.code, language, error.data)}${inWords(error, language)}`,
    data: { ...error.data, ...(error.field && { field: error.field }) },
  })
}
