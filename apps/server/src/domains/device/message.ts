import { isSecretNameOfDevice, protocol, type RefusedMessage, secretMask, valueKinds } from '@campanile/contract'
import { ZodError, type z } from 'zod'
import type { UpKind } from '../../gateway/wire.ts'
import { fitsShape } from '../../platform/body-shape.ts'
import { maskSaid, mayHoldSecret } from '../../platform/secret-fields.ts'
import type { Value } from './latest.ts'

const dayMs = 86_400_000
const schemas = { hello: protocol.hello, state: protocol.state, event: protocol.event, reply: protocol.reply } as const
type Body<K extends UpKind> = z.output<(typeof schemas)[K]>
type Dated<T> = Omit<T, 'ts'> & { ts: number }

export type State = { ts: number } & Record<string, unknown>
export type Message =
  | { kind: 'hello'; body: Body<'hello'> }
  | { kind: 'reply'; body: Body<'reply'> }
  /** `received`: the device gave no time, so it is the one of receipt. */
  | {
      kind: 'state'
      body: State
      received: boolean
      own?: Readonly<Record<string, Value>>
      leftOut?: readonly string[]
    }
  | { kind: 'event'; body: Dated<Body<'event'>>; received: boolean }

export type Wrong = Omit<RefusedMessage, 'kind'>

export interface Fault {
  fault: 'malformed' | 'invalidValue' | 'clockAhead' | 'tooOld'
  /** Which part of it is wrong, and how. */
  wrong?: Wrong
  /** How far the device's clock is ahead, where the fault tells it. */
  clockOffset?: number
}

/** Control characters and marks that turn text around; line breaks and tabs may stay. */
const unprintable = /[^\P{C}\n\t]|[\u2028\u2029]/gu

/** What is next to nothing, or less than nothing by its sign alone, is nothing: it would be stored with hundreds of digits. */
const tidy = (value: number) => (Math.abs(value) < protocol.numberMin ? 0 : value)

class TooDeep extends RangeError {}
class TooManyNames extends RangeError {
  readonly most: number
  constructor(most: number) {
    super()
    this.most = most
  }
}

/** Whatever a device sends ends up on somebody's screen and in files: nothing but plain text, and not too deep. */
const clean = (value: unknown, depth = 0): unknown => {
  if (typeof value === 'string') return value.replace(unprintable, '')
  if (typeof value === 'number') return tidy(value)
  if (typeof value !== 'object' || value === null) return value
  if (depth >= protocol.depthMax) throw new TooDeep()
  if (Array.isArray(value)) return value.map((each) => clean(each, depth + 1))
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [clean(name) as string, clean(each, depth + 1)]),
  )
}

/** Ordinary numbers, yes, no and nothing else: the common case, which needs no cleaning. */
const isFlat = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  Object.values(value).every(
    (each) => typeof each === 'boolean' || (typeof each === 'number' && Object.is(each, tidy(each))),
  )

const isOwnValue = (value: unknown): value is Value =>
  typeof value === 'boolean' ||
  (typeof value === 'number' && Math.abs(value) <= protocol.ownNumberMax) ||
  (typeof value === 'string' && value.length <= protocol.ownTextMax)

/** Devices use few names again and again. */
const knownMax = 20_000
const knownNames = new Map<string, boolean>()
const isSecret = (name: string, value: Value): boolean => {
  if (typeof value === 'boolean') return false
  const known = knownNames.get(name)
  if (known !== undefined) return known
  if (knownNames.size >= knownMax) knownNames.clear()
  const secret = isSecretNameOfDevice(name, 'text')
  knownNames.set(name, secret)
  return secret
}
/** That there is a password may be known, and not which. */
const discreet = (name: string, value: Value): Value => {
  if (isSecret(name, value)) return secretMask
  return typeof value === 'string' && mayHoldSecret(value) ? (maskSaid(value) as string) : value
}

/** Values by names that the contract does not have, and the names of what cannot be one. */
const ownOf = (plain: object) => {
  const own: [string, Value][] = []
  const leftOut: string[] = []
  for (const [name, value] of Object.entries(plain)) {
    if (name === 'ts' || Object.hasOwn(protocol.stateValues, name)) continue
    if (protocol.ownName.test(name) && isOwnValue(value) && own.length < protocol.ownPerDevice)
      own.push([name, discreet(name, value)])
    else leftOut.push(name)
  }
  return { ...(own.length > 0 && { own: Object.fromEntries(own) }), ...(leftOut.length > 0 && { leftOut }) }
}

/** An event is read by everybody who sees its device, so a secret in it is not kept. */
const tellable = (kind: UpKind, text: string, cleaned: unknown): unknown => {
  if (kind !== 'event' || !mayHoldSecret(text) || typeof cleaned !== 'object' || cleaned === null) return cleaned
  const { text: words, data, ...rest } = cleaned as { text?: unknown; data?: unknown }
  return {
    ...rest,
    ...(words !== undefined && { text: maskSaid(words) }),
    ...(data !== undefined && { data: maskSaid(data) }),
  }
}

/** `"":1` */
const shortestName = 4

const parse = (kind: UpKind, text: string | undefined) => {
  const most = protocol.namesMax[kind]
  // Looked at before it is read, which takes longer the more names there are; a short one cannot have that many.
  const mayHold = (text?.length ?? 0) > most * shortestName
  const shape = { names: most, groups: Infinity, elements: Infinity, depth: Infinity }
  if (mayHold && !fitsShape(Buffer.from(text ?? ''), shape)) throw new TooManyNames(most)
  const parsed: unknown = JSON.parse(text ?? '')
  const plain = isFlat(parsed) ? parsed : tellable(kind, text ?? '', clean(parsed))
  const body = schemas[kind].parse(plain)
  return { body, ...(kind === 'state' && ownOf(plain as object)) }
}

type Issue = z.core.$ZodIssue
const kindOf = (expected: string) => valueKinds.find((each) => each === expected) ?? 'object'

/** A bound by what it bounds: a number, the characters of a text, the entries of a list. */
const beyond = (issue: Extract<Issue, { code: 'too_big' | 'too_small' }>): Wrong => {
  const isText = issue.origin === 'string'
  if (issue.code === 'too_small') return { fault: isText ? 'tooShort' : 'tooSmall', expected: String(issue.minimum) }
  const fault = isText ? 'tooLong' : issue.origin === 'array' ? 'tooMany' : 'tooLarge'
  return { fault, expected: String(issue.maximum) }
}

/** Says which part and why in words that can be shown to anybody: neither the value nor a piece of the message is in them. */
export const wrongOf = (error: unknown): Wrong => {
  if (error instanceof TooDeep) return { fault: 'tooDeep', expected: String(protocol.depthMax) }
  if (error instanceof TooManyNames) return { fault: 'tooManyNames', expected: String(error.most) }
  const [issue] = error instanceof ZodError ? (error.issues as Issue[]) : []
  if (!issue) return { fault: 'noJson' }
  const field = issue.path.join('.')
  if (field === '') return { fault: 'notObject' }
  switch (issue.code) {
    case 'invalid_type':
      if (/received undefined/.test(issue.message)) return { field, fault: 'missing' }
      return { field, fault: 'wrongKind', expected: kindOf(issue.expected) }
    case 'invalid_value':
      return { field, fault: 'notOneOf', expected: issue.values.map(String).join(', ') }
    case 'too_big':
    case 'too_small':
      return { field, ...beyond(issue) }
    default:
      return { field, fault: 'wrongFormat' }
  }
}

export const readMessage = (kind: UpKind, text: string | undefined, at: number): Message | Fault => {
  let read: ReturnType<typeof parse>
  try {
    read = parse(kind, text)
  } catch (error) {
    return { fault: error instanceof ZodError ? 'invalidValue' : 'malformed', wrong: wrongOf(error) }
  }
  const { body } = read
  if (kind === 'hello' || kind === 'reply') return { kind, body } as Message
  const { ts } = body as { ts?: number }
  if (ts === undefined) return { kind, ...read, body: { ...body, ts: at }, received: true } as Message
  if (ts > at + protocol.clockAheadMs) return { fault: 'clockAhead', clockOffset: ts - at }
  if (kind === 'event' && ts < protocol.tsSet)
    return { kind, ...read, body: { ...body, ts: at }, received: true } as Message
  if (kind === 'state' && ts < at - protocol.pointDays * dayMs) return { fault: 'tooOld' }
  return { kind, ...read, received: false } as Message
}
