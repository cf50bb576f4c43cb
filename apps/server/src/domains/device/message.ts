import { protocol } from '@campanile/contract'
import type { z } from 'zod'
import type { UpKind } from '../../gateway/wire.ts'

const depthMax = 8
/** A clock may run ahead a little. What claims to be further ahead would stay the newest for ever. */
const aheadMs = 10 * 60_000

const schemas = { hello: protocol.hello, state: protocol.state, event: protocol.event, reply: protocol.reply } as const
export type Message = { [K in UpKind]: { kind: K; body: z.output<(typeof schemas)[K]> } }[UpKind]

/** Control characters and marks that turn text around; line breaks and tabs may stay. */
const unprintable = /[^\P{C}\n\t]|[\u2028\u2029]/gu

/** Whatever a device sends ends up on somebody's screen and in files: nothing but plain text, and not too deep. */
const clean = (value: unknown, depth = 0): unknown => {
  if (typeof value === 'string') return value.replace(unprintable, '')
  if (typeof value !== 'object' || value === null) return value
  if (depth >= depthMax) throw new RangeError('too deep')
  if (Array.isArray(value)) return value.map((each) => clean(each, depth + 1))
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [clean(name) as string, clean(each, depth + 1)]),
  )
}

/** Numbers, words and nothing else: the common case, which needs no cleaning. */
const isFlat = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  Object.values(value).every((each) => typeof each === 'number' || typeof each === 'boolean')

export const readMessage = (
  kind: UpKind,
  text: string | undefined,
  at: number,
): Message | { fault: 'malformed' | 'clockAhead' } => {
  try {
    const parsed: unknown = JSON.parse(text ?? '')
    const body = schemas[kind].parse(isFlat(parsed) ? parsed : clean(parsed))
    // A hello tells what the device's own clock shows, right or wrong.
    if (kind !== 'hello' && 'ts' in body && (body.ts ?? 0) > at + aheadMs) return { fault: 'clockAhead' }
    return { kind, body } as Message
  } catch {
    return { fault: 'malformed' }
  }
}
