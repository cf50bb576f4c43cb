import { Malformed, Violation } from './frames.ts'

/** Properties by the number they have in MQTT 5, as far as a client may send them. */
export const property = {
  payloadFormat: 0x01,
  messageExpiry: 0x02,
  contentType: 0x03,
  responseTopic: 0x08,
  correlationData: 0x09,
  subscriptionIdentifier: 0x0b,
  sessionExpiry: 0x11,
  authenticationMethod: 0x15,
  authenticationData: 0x16,
  requestProblem: 0x17,
  willDelay: 0x18,
  requestResponse: 0x19,
  reasonString: 0x1f,
  receiveMaximum: 0x21,
  topicAliasMaximum: 0x22,
  topicAlias: 0x23,
  user: 0x26,
  maximumPacketSize: 0x27,
} as const

const { user, reasonString } = property
const ofMessage = [
  property.payloadFormat,
  property.messageExpiry,
  property.contentType,
  property.responseTopic,
  property.correlationData,
  user,
]
const ofAnswer: readonly number[] = [reasonString, user]
/** By the packet's number in its first byte. */
const allowed: Readonly<Record<number, readonly number[]>> = {
  1: [
    property.sessionExpiry,
    property.authenticationMethod,
    property.authenticationData,
    property.requestProblem,
    property.requestResponse,
    property.receiveMaximum,
    property.topicAliasMaximum,
    property.maximumPacketSize,
    user,
  ],
  3: [...ofMessage, property.topicAlias],
  4: ofAnswer,
  5: ofAnswer,
  6: ofAnswer,
  7: ofAnswer,
  8: [property.subscriptionIdentifier, user],
  10: [user],
  14: [property.sessionExpiry, ...ofAnswer],
}
const ofWill: readonly number[] = [...ofMessage, property.willDelay]

const fixed: Readonly<Record<number, number>> = {
  [property.payloadFormat]: 1,
  [property.requestProblem]: 1,
  [property.requestResponse]: 1,
  [property.receiveMaximum]: 2,
  [property.topicAliasMaximum]: 2,
  [property.topicAlias]: 2,
  [property.messageExpiry]: 4,
  [property.sessionExpiry]: 4,
  [property.willDelay]: 4,
  [property.maximumPacketSize]: 4,
}
const yesOrNo: ReadonlySet<number> = new Set([
  property.payloadFormat,
  property.requestProblem,
  property.requestResponse,
])
const neverZero: ReadonlySet<number> = new Set([
  property.receiveMaximum,
  property.maximumPacketSize,
  property.subscriptionIdentifier,
])

/** Reads along a packet and never past its end. */
const createCursor = (frame: Buffer, start: number) => {
  let at = start
  const take = (bytes: number): number => {
    if (at + bytes > frame.length) throw new Malformed()
    at += bytes
    return at - bytes
  }
  const number = (bytes: number) => frame.readUIntBE(take(bytes), bytes)
  const variable = (): number => {
    let value = 0
    for (let step = 0; step < 4; step += 1) {
      const byte = number(1)
      value += (byte & 0x7f) * 128 ** step
      if (byte < 0x80) return value
    }
    throw new Malformed()
  }
  return {
    get at() {
      return at
    },
    number,
    variable,
    /** A text or bytes with their length before them. */
    skip: () => take(number(2)),
  }
}
type Cursor = ReturnType<typeof createCursor>

const checkOne = (cursor: Cursor, id: number) => {
  const bytes = fixed[id]
  if (bytes !== undefined || id === property.subscriptionIdentifier) {
    const value = bytes === undefined ? cursor.variable() : cursor.number(bytes)
    if (yesOrNo.has(id) && value > 1) throw new Violation(0x82)
    if (neverZero.has(id) && value === 0) throw new Violation(0x82)
    return
  }
  cursor.skip()
  if (id === user) cursor.skip()
}

/** Each at most once, save for the user's own; none where it has no meaning. */
const checkBlock = (cursor: Cursor, kinds: readonly number[]): ReadonlySet<number> => {
  const end = cursor.variable() + cursor.at
  const seen = new Set<number>()
  while (cursor.at < end) {
    const id = cursor.variable()
    if (!kinds.includes(id)) throw new Violation(0x82)
    if (id !== user && seen.has(id)) throw new Violation(0x82)
    seen.add(id)
    checkOne(cursor, id)
  }
  if (cursor.at !== end) throw new Malformed()
  return seen
}

const willFlag = 0x04
const none: ReadonlySet<number> = new Set()

/**
 * The properties that a whole packet of MQTT 5 carries. The library reads them without looking whether one comes twice, has
 * a meaning there or may have that value; this does, and throws.
 */
export const checkProperties = (frame: Buffer): ReadonlySet<number> => {
  const first = frame[0] as number
  const type = first >> 4
  const kinds = allowed[type]
  if (!kinds) return none
  const cursor = createCursor(frame, 1)
  cursor.variable()
  if (type === 1) {
    cursor.skip()
    cursor.number(1)
    const flags = cursor.number(1)
    cursor.number(2)
    const seen = checkBlock(cursor, kinds)
    cursor.skip()
    if (flags & willFlag) checkBlock(cursor, ofWill)
    return seen
  }
  if (type === 3) {
    cursor.skip()
    if (first & 0x06) cursor.number(2)
  } else if (type !== 14) cursor.number(2)
  // What has nothing to add leaves its reason and its properties out.
  const hasReason = type >= 4 && type !== 8 && type !== 10
  if (hasReason && cursor.at < frame.length) cursor.number(1)
  return hasReason && cursor.at === frame.length ? none : checkBlock(cursor, kinds)
}
