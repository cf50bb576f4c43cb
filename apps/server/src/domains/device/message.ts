import { protocol } from '@campanile/contract'
import { ZodError, type z } from 'zod'
import type { UpKind } from '../../gateway/wire.ts'

const dayMs = 86_400_000
const schemas = { hello: protocol.hello, state: protocol.state, event: protocol.event, reply: protocol.reply } as const
type Body<K extends UpKind> = z.output<(typeof schemas)[K]>
type Dated<T> = Omit<T, 'ts'> & { ts: number }

export type State = { ts: number } & Record<string, unknown>
export type Message =
  | { kind: 'hello'; body: Body<'hello'> }
  | { kind: 'reply'; body: Body<'reply'> }
  /** `received`: the device gave no time, so it is the one of receipt. */
  | { kind: 'state'; body: State; received: boolean }
  | { kind: 'event'; body: Dated<Body<'event'>>; received: boolean }

export interface Fault {
  fault: 'malformed' | 'clockAhead' | 'tooOld'
  /** Which part of it is wrong, for the log. */
  detail?: string
  /** How far the device's clock is ahead, where the fault tells it. */
  clockOffset?: number
}

/** Control characters and marks that turn text around; line breaks and tabs may stay. */
const unprintable = /[^\P{C}\n\t]|[\u2028\u2029]/gu

/** What is next to nothing, or less than nothing by its sign alone, is nothing: it would be stored with hundreds of digits. */
const tidy = (value: number) => (Math.abs(value) < protocol.numberMin ? 0 : value)

/** Whatever a device sends ends up on somebody's screen and in files: nothing but plain text, and not too deep. */
const clean = (value: unknown, depth = 0): unknown => {
  if (typeof value === 'string') return value.replace(unprintable, '')
  if (typeof value === 'number') return tidy(value)
  if (typeof value !== 'object' || value === null) return value
  if (depth >= protocol.depthMax) throw new RangeError('too deep')
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

const parse = (kind: UpKind, text: string | undefined) => {
  const parsed: unknown = JSON.parse(text ?? '')
  return schemas[kind].parse(isFlat(parsed) ? parsed : clean(parsed))
}

const detailMax = 200
const detailOf = (error: unknown): string => {
  const [issue] = error instanceof ZodError ? error.issues : []
  const text = issue ? `${issue.path.join('.')}: ${issue.message}` : `no JSON: ${(error as Error).message}`
  return text.replace(unprintable, '').slice(0, detailMax)
}

export const readMessage = (kind: UpKind, text: string | undefined, at: number): Message | Fault => {
  let body: ReturnType<typeof parse>
  try {
    body = parse(kind, text)
  } catch (error) {
    return { fault: 'malformed', detail: detailOf(error) }
  }
  if (kind === 'hello' || kind === 'reply') return { kind, body } as Message
  const { ts } = body as { ts?: number }
  if (ts === undefined) return { kind, body: { ...body, ts: at }, received: true } as Message
  if (ts > at + protocol.clockAheadMs) return { fault: 'clockAhead', clockOffset: ts - at }
  if (kind === 'state' && ts < at - protocol.pointDays * dayMs) return { fault: 'tooOld' }
  return { kind, body, received: false } as Message
}
