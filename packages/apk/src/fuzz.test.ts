import { expect, it } from 'vitest'
import { readApp } from './app/app.ts'
import { findApk } from './find-apk.ts'
import { Refusal } from './refusal.ts'
import { verifySigning } from './signing/signing.ts'
import { archive, counted, fixture, type Part, sourceOf } from './test/archives.ts'
import { openEntry, readEntry } from './zip/content.ts'
import { openZip } from './zip/zip.ts'

const seed = Number(process.env.FUZZ_SEED ?? 20_261_116)
const rounds = Number(process.env.FUZZ_ROUNDS ?? 40)
const files = [
  'v1.apk',
  'v1-openssl.apk',
  'v2-v3.apk',
  'rotated.apk',
  'names.apk',
  'scripts.apk',
  'layers.apk',
  'zip64.zip',
  'packed.zip',
]

/** Numbers that are the same each time for the same seed. */
function randomFrom(start: number) {
  let state = start >>> 0
  return (below: number) => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) % Math.max(1, below)
  }
}
type Random = ReturnType<typeof randomFrom>

const edges = [0, 1, 0x7f, 0x80, 0xff, 0xffff, 0x7fff_ffff, 0x8000_0000, 0xffff_fffe, 0xffff_ffff]

const ways: readonly ((bytes: Buffer, random: Random) => Buffer)[] = [
  (bytes, random) => bytes.subarray(0, random(bytes.length)),
  (bytes, random) => bytes.subarray(random(bytes.length)),
  (bytes, random) => {
    for (let times = 1 + random(8); times > 0; times--) bytes.writeUInt8(random(256), random(bytes.length))
    return bytes
  },
  (bytes, random) => {
    if (bytes.length > 4) bytes.writeUInt32LE(edges[random(edges.length)] ?? 0, random(bytes.length - 4))
    return bytes
  },
  (bytes, random) => {
    const at = random(bytes.length)
    return Buffer.concat([bytes.subarray(0, at), bytes.subarray(random(bytes.length)), bytes.subarray(at)])
  },
  (bytes, random) => {
    const from = random(bytes.length)
    bytes.copy(bytes, random(bytes.length), from, from + random(200))
    return bytes
  },
]

const broken = (bytes: Buffer, random: Random): Buffer =>
  (ways[random(ways.length)] ?? ((same) => same))(Buffer.from(bytes), random)

/** Everything a room would do with a file. Whatever is thrown and is no refusal fails the test. */
async function tryAll(bytes: Buffer): Promise<string> {
  const reading = counted(sourceOf(bytes))
  try {
    const found = await findApk(reading)
    if (found.kind === 'packed') {
      for await (const piece of found.content()) expect(piece.length).toBeLessThanOrEqual(64 * 1024)
      return 'packed'
    }
    const signing = await verifySigning(found.zip)
    expect(signing.verified === null).toBe(signing.fault !== null)
    await readApp(found.zip)
    return signing.fault ?? 'read'
  } catch (error) {
    if (error instanceof Refusal) return error.reason
    throw error
  } finally {
    // Only so much is read again and again, however the file points into itself.
    expect(reading.total()).toBeLessThan(40 * bytes.length + 4 * 1024 * 1024)
  }
}

it.each(files)('a broken file is read or refused with a reason, whatever is broken: %s', async (name) => {
  const original = fixture(name)
  const answers = new Set<string>()
  for (let round = 0; round < rounds; round++) {
    const random = randomFrom(seed + round * 7919)
    answers.add(await tryAll(broken(original, random)).catch((error) => fail(name, round, error)))
  }
  expect(answers.size).toBeGreaterThan(1)
})

it.each(files.filter((name) => name.endsWith('.apk')))(
  'so is an app with one broken file in an honest archive: %s',
  async (name) => {
    const zip = await openZip(sourceOf(fixture(name)))
    const parts: Part[] = []
    for (const entry of zip.entries) parts.push({ name: entry.name, content: await readEntry(zip, entry, entry.size) })
    const worth = parts.flatMap(({ name }, index) => (/xml$|arsc$|META-INF/.test(String(name)) ? [index] : []))
    for (let round = 0; round < rounds * 3; round++) {
      const random = randomFrom(seed + round * 104_729)
      const index = worth[random(worth.length)] ?? 0
      const part = parts[index]
      const content = broken(Buffer.from(part?.content ?? ''), random)
      await tryAll(archive(parts.with(index, { name: part?.name ?? '', content }))).catch((error) =>
        fail(name, round, error),
      )
    }
  },
)

it('every entry of a broken archive comes out whole or is refused', async () => {
  const original = fixture('adaptive.apk')
  for (let round = 0; round < rounds * 3; round++) {
    const bytes = broken(original, randomFrom(seed + round * 31))
    try {
      const zip = await openZip(sourceOf(bytes))
      for (const entry of zip.entries) {
        let length = 0
        for await (const piece of openEntry(zip, entry)) length += piece.length
        expect(length).toBe(entry.size)
      }
    } catch (error) {
      if (!(error instanceof Refusal)) fail('adaptive.apk', round, error)
    }
  }
})

/** Says how to see it again. */
function fail(name: string, round: number, error: unknown): never {
  throw new Error(`${name}, seed ${seed}, round ${round}`, { cause: error })
}
