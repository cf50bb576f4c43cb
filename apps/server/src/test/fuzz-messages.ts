import { protocol } from '@campanile/contract'
import type { UpKind } from '../gateway/wire.ts'

/** The same for the same seed, on every machine. */
export const createRandom = (seed: number) => {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (count: number) => Math.floor(next() * count)
  return {
    next,
    below,
    one: <T>(some: readonly T[]): T => some[below(some.length)] as T,
    maybe: (p: number) => next() < p,
  }
}
export type Random = ReturnType<typeof createRandom>

export interface FuzzMessage {
  kind: UpKind
  payload: Buffer
  /** What must become of it; undefined where either is right as long as it is acknowledged. */
  fate?: 'stored' | 'refused'
}

const edges = [
  '0 -0 1 -1 0.5 100 100.0000000001 1e308 -1e308 1.7976931348623157e308 1e309 -1e309 1e999999 5e-324 -5e-324',
  '2.2250738585072014e-308 1e-400 9007199254740991 9007199254740992 9007199254740993 -9007199254740993 2147483647',
  '2147483648 4294967296 9223372036854775807 9223372036854775808 1e21 1e22 40000000000000 40000000000000.01 0.1e1 1E+2',
  '253402300799999 253402300800000 1e15 4.5e15',
].flatMap((line) => line.split(' '))
const notNumbers = 'NaN Infinity -Infinity undefined +1 01 .5 1. 0x10 1_000 1n --1 1e "NaN" "1" null true {} []'.split(
  ' ',
)
const texts = [
  '',
  'wifi',
  'Connection terminated: timeout',
  "'; drop table device; --",
  '__proto__',
  'constructor',
  '\\u0000',
  'a\\u0000b',
  '\\ud800',
  '\\udfff\\ud800',
  '\\ud83d\\ude00',
  '\u202e\u2028',
  '\ufeff',
  'ﷺ'.repeat(40),
  '\\',
  '\n',
  '\t',
  '\u0000',
  '\u001b[31m',
  '😀',
  '\\x41',
  'e\u0301'.repeat(60),
]

const doubleText = ({ below }: Random): string => {
  const bits = new DataView(new ArrayBuffer(8))
  for (let at = 0; at < 8; at += 1) bits.setUint8(at, below(256))
  return String(bits.getFloat64(0))
}
const numberText = (random: Random): string => {
  const dice = random.below(10)
  if (dice < 5) return random.one(edges)
  if (dice < 7) return doubleText(random)
  if (dice < 8) return random.one(notNumbers)
  if (dice < 9) return `${random.below(2) ? '-' : ''}${'9'.repeat(1 + random.below(400))}`
  return String(random.below(101))
}
const textText = (random: Random): string => {
  const dice = random.below(10)
  if (dice < 7) return `"${random.one(texts)}"`
  if (dice < 8) return `"${'x'.repeat(random.one([64, 65, 128, 129, 256, 257, 1000, 1001]))}"`
  if (dice < 9) return `"${'x'.repeat(random.below(30_000))}"`
  return numberText(random)
}
const valueText = (random: Random, depth = 0): string => {
  const dice = random.below(depth > 12 ? 4 : 8)
  if (dice < 2) return numberText(random)
  if (dice < 4) return textText(random)
  const some = Array.from({ length: random.below(4) }, () => valueText(random, depth + 1))
  return dice < 6 ? `[${some.join()}]` : `{${some.map((each) => `${textText(random)}:${each}`).join()}}`
}
const deepText = ({ below, one }: Random): string => {
  const levels = one([7, 8, 9, 100, 5_000, 5 + below(3_000)])
  return one([
    `${'['.repeat(levels)}${']'.repeat(levels)}`,
    `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`,
    '['.repeat(levels),
  ])
}

const words: Record<UpKind, readonly string[]> = {
  state: ['ts', ...Object.keys(protocol.stateValues), 'pressure', '__proto__'],
  hello: Object.keys(protocol.hello.shape),
  event: Object.keys(protocol.event.shape),
  reply: Object.keys(protocol.reply.shape),
}
const likely = (random: Random, kind: UpKind, name: string, now: number): string => {
  if (name === 'ts') return random.maybe(0.7) ? String(now - random.below(100_000)) : numberText(random)
  if (name === 'id') return random.maybe(0.7) ? `"${random.below(50)}-${random.below(5)}"` : textText(random)
  if (name === 'state' && kind === 'reply')
    return random.one(['"acknowledged"', '"progress"', '"done"', '"failed"', '"lost"'])
  if (name === 'level') return random.one(['"info"', '"critical"', '"INFO"'])
  if (name === 'data' || name === 'result') return random.maybe(0.1) ? deepText(random) : valueText(random)
  if (name === 'apps')
    return `[${Array.from({ length: random.below(5) }, () => `{"package":${textText(random)},"version":${textText(random)}}`).join()}]`
  if (name === 'addresses' || name === 'capabilities') return `[${textText(random)}]`
  return random.maybe(0.5) ? numberText(random) : random.maybe(0.5) ? textText(random) : valueText(random)
}

const kinds: readonly UpKind[] = ['state', 'state', 'event', 'reply', 'hello']
const spoil = (random: Random, payload: Buffer): Buffer => {
  const bytes = Buffer.from(payload)
  for (let times = 1 + random.below(3); times > 0 && bytes.length > 0; times -= 1)
    bytes[random.below(bytes.length)] = random.below(256)
  return random.maybe(0.3) ? bytes.subarray(0, random.below(bytes.length + 1)) : bytes
}

/** Anything a device might say that keeps to MQTT: right, wrong at the edges, or nonsense. */
export const fuzzMessage = (random: Random, now: number): FuzzMessage => {
  const kind = random.one(kinds)
  const dice = random.below(100)
  if (dice < 2) return { kind, payload: Buffer.alloc(0), fate: 'refused' }
  if (dice < 4)
    return { kind, payload: Buffer.alloc(random.one([1, 1_000, protocol.messageMaxBytes]), 0x5b), fate: 'refused' }
  if (dice < 6) return { kind, payload: Buffer.from(Array.from({ length: random.below(60) }, () => random.below(256))) }
  if (dice < 8) return { kind, payload: Buffer.from(valueText(random)).subarray(0, protocol.messageMaxBytes) }
  if (dice < 12) {
    const name = random.one(['mobileUp', 'mobileDown', 'wifiUp', 'wifiDown'])
    const value = random.one(['1e308', '1e309', '9007199254740993', '40000000000001', '-1', '-5e-300', 'NaN'])
    return {
      kind: 'state',
      payload: Buffer.from(`{"ts":${now},"${name}":${value}}`),
      fate: value === '-5e-300' ? 'stored' : 'refused',
    }
  }
  if (dice < 15)
    return {
      kind: 'state',
      payload: Buffer.from(`{"ts":${now},"cpu":${random.below(101)},"battery":${random.below(101)}}`),
      fate: 'stored',
    }
  const names = words[kind].filter((name) =>
    random.maybe(name === 'ts' || name === 'id' || name === 'state' || name === 'type' ? 0.9 : 0.25),
  )
  const text = `{${names.map((name) => `"${name}":${likely(random, kind, name, now)}`).join()}}`
  const payload = Buffer.from(text).subarray(0, protocol.messageMaxBytes)
  return { kind, payload: random.maybe(0.15) ? spoil(random, payload) : payload }
}

/** Bytes that keep to nothing: cut, lengthened, turned around, or packets nobody expects. */
export const fuzzPacket = (random: Random): Buffer => {
  const body = Buffer.from(Array.from({ length: random.below(40) }, () => random.below(256)))
  const first = random.below(256)
  const dice = random.below(4)
  if (dice === 0) return Buffer.concat([Buffer.from([first]), body])
  if (dice === 1) return Buffer.concat([Buffer.from([first, 0xff, 0xff, 0xff, random.below(256)]), body])
  if (dice === 2) return Buffer.concat([Buffer.from([first, body.length]), body])
  // PUBLISH whose topic is longer than its packet, or has no end.
  return Buffer.concat([
    Buffer.from([0x30 | random.below(16), body.length + 2, random.below(256), random.below(256)]),
    body,
  ])
}
