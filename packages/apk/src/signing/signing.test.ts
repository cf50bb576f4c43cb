import { describe, expect, it, test } from 'vitest'
import { archive, counted, fixture, type Part, sourceOf } from '../test/archives.ts'
import { readEntry } from '../zip/content.ts'
import { openZip } from '../zip/zip.ts'
import { readBlock } from './block.ts'
import { mayReplace, verifySigning } from './signing.ts'

const verify = async (bytes: Buffer) => verifySigning(await openZip(sourceOf(bytes)))
const changed = (bytes: Buffer, at: number) => {
  const copy = Buffer.from(bytes)
  copy.writeUInt8(copy.readUInt8(at) ^ 1, at)
  return copy
}

/** What Android's own verifier says of the fixtures. */
const expected = fixture('expected.txt').toString().split(/^== /m).slice(1)

describe('a signature', () => {
  it.each(expected.map((text) => [text.slice(0, text.indexOf('\n')), text]))(
    'is found as right as by apksigner: %s',
    async (name, said) => {
      const signing = await verify(fixture(name))
      const digests = [...said.matchAll(/SHA-256 digest: (\w+)/g)].map((match) => match[1])
      expect(signing.signers.map(({ sha256 }) => sha256)).toEqual(digests)
      const newest = [...said.matchAll(/Verified using (v\d) scheme .*: true/g)].map((match) => match[1]).at(-1)
      expect(signing.verified).toBe(newest ?? null)
      expect(signing.fault).toBe(said.includes('DOES NOT VERIFY') ? 'unsigned' : null)
    },
  )

  it('names who made it and until when they may', async () => {
    const [signer] = (await verify(fixture('v2-v3.apk'))).signers
    expect(signer).toMatchObject({
      subject: 'C=TW, O=Harbour, CN=second',
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
    })
    expect(signer?.validFrom?.getTime()).toBeLessThan(signer?.validTo?.getTime() ?? 0)
  })

  it('lists every scheme there is', async () => {
    expect((await verify(fixture('v1-v2-v3.apk'))).schemes).toEqual(['v1', 'v2', 'v3'])
    expect((await verify(fixture('v2-v3.apk'))).schemes).toEqual(['v2', 'v3'])
  })

  it('is verified with no more than a mebibyte in memory', async () => {
    const reading = counted(sourceOf(fixture('v2-v3.apk')))
    await verifySigning(await openZip(reading))
    expect(reading.largest()).toBeLessThanOrEqual(1024 * 1024)
  })
})

describe('a changed file', () => {
  // The whole file is in the digest, so each byte of it counts: entries, alignment, directory and end.
  test.each(['v1-v2.apk', 'v2-v3.apk', 'v2-sha512.apk', 'rotated.apk'])('is not what was signed: %s', async (name) => {
    const bytes = fixture(name)
    const zip = await openZip(sourceOf(bytes))
    const block = await readBlock(zip)
    const { offset } = zip.end.directory
    const times = zip.entries.map((entry) => entry.header + 10)
    // Padding, the time of a file and the version that made an entry are no part of what the archive reader compares.
    for (const at of [...times, (block?.begin ?? 0) - 1, offset + 4, offset + 12]) {
      const answer = await verify(changed(bytes, at)).catch((error) => error)
      expect([at, answer.fault ?? answer.reason]).toEqual([at, expect.stringMatching(/contentDiffers|contentBroken/)])
    }
  })

  it('in its signatures proves nothing any more', async () => {
    const bytes = fixture('v2-sha512.apk')
    const block = await readBlock(await openZip(sourceOf(bytes)))
    const begin = block?.begin ?? 0
    // Everything that is signed or signs: the padding behind it may be anything.
    const length = block?.values.get(0x7109871a)?.length ?? 0
    for (let at = begin; at < begin + 20 + length; at += 7) {
      const { verified, fault } = await verify(changed(bytes, at))
      expect([at, verified, fault]).toEqual([at, null, expect.any(String)])
    }
  })

  it('whose newer signatures were taken out says so', async () => {
    expect(await verify(await withoutBlock('v1-v2.apk'))).toMatchObject({
      verified: null,
      fault: 'stripped',
      signers: [],
    })
    expect(await verify(await withoutBlock('v2-v3.apk'))).toMatchObject({ verified: null, fault: 'unsigned' })
    const bytes = fixture('v2-v3.apk')
    const third = Buffer.from('c06853f0', 'hex')
    const hidden = changed(bytes, bytes.lastIndexOf(third))
    expect(await verify(hidden)).toMatchObject({ schemes: ['v2'], verified: null, fault: 'stripped' })
  })
})

it('of a crowd is not looked at one by one', async () => {
  const bytes = fixture('v2-sha512.apk')
  const zip = await openZip(sourceOf(bytes))
  const block = await readBlock(zip)
  const signer = block?.values.get(0x7109871a)?.subarray(4) ?? Buffer.alloc(0)
  const numbers = (value: number, more: Buffer) => Buffer.concat([Buffer.from(Uint32Array.of(value).buffer), more])
  const long = (value: number) => Buffer.from(BigUint64Array.of(BigInt(value)).buffer)
  const signed = (count: number) => {
    const value = numbers(signer.length * count, Buffer.concat(Array(count).fill(signer)))
    const pair = Buffer.concat([long(value.length + 4), numbers(0x7109871a, value)])
    const size = long(pair.length + 24)
    const newBlock = Buffer.concat([size, pair, size, Buffer.from('APK Sig Block 42')])
    const end = Buffer.from(bytes.subarray(zip.end.offset))
    const begin = block?.begin ?? 0
    end.writeUInt32LE(begin + newBlock.length, 16)
    const directory = bytes.subarray(zip.end.directory.offset, zip.end.offset)
    return Buffer.concat([bytes.subarray(0, begin), newBlock, directory, end])
  }
  expect(await verify(signed(10))).toMatchObject({ verified: 'v2' })
  expect(await verify(signed(11))).toMatchObject({ verified: null, fault: 'blockBroken' })
})

/** The same entries without what lies before the directory. */
async function withoutBlock(name: string): Promise<Buffer> {
  const bytes = fixture(name)
  const zip = await openZip(sourceOf(bytes))
  const begin = (await readBlock(zip))?.begin ?? 0
  const end = Buffer.from(bytes.subarray(zip.end.offset))
  end.writeUInt32LE(begin, 16)
  return Buffer.concat([bytes.subarray(0, begin), bytes.subarray(zip.end.directory.offset, zip.end.offset), end])
}

async function partsOf(name: string): Promise<Part[]> {
  const zip = await openZip(sourceOf(fixture(name)))
  const parts: Part[] = []
  for (const entry of zip.entries)
    parts.push({ name: entry.name, content: await readEntry(zip, entry, entry.size), deflate: true })
  return parts
}

describe('the oldest scheme', () => {
  const names = ['v1.apk', 'v1-sha1.apk', 'v1-openssl.apk']

  it.each(names)('goes by the files, however they are packed: %s', async (name) => {
    expect(await verify(archive(await partsOf(name)))).toMatchObject({ verified: 'v1', fault: null })
  })

  it.each(names)('finds each file that was changed, added or taken away: %s', async (name) => {
    const parts = await partsOf(name)
    for (const [index, part] of parts.entries()) {
      const content = Buffer.concat([Buffer.from(part.content ?? ''), Buffer.from('\n')])
      const others = parts.toSpliced(index, 1)
      const answer = await verify(archive(parts.with(index, { ...part, content })))
      // One more byte behind the signature itself is none of its parts.
      if (!/\.RSA$/.test(String(part.name))) expect([part.name, answer.verified]).toEqual([part.name, null])
      expect([part.name, (await verify(archive(others))).verified]).toEqual([part.name, null])
    }
    expect(await verify(archive([...parts, { name: 'classes.dex', content: 'more' }]))).toMatchObject({
      fault: 'notCovered',
    })
    expect(await verify(archive([...parts, { name: 'META-INF/services/x', content: 'more' }]))).toMatchObject({
      fault: 'notCovered',
    })
  })

  it('finds a changed signature', async () => {
    const parts = await partsOf('v1-openssl.apk')
    const index = parts.findIndex(({ name }) => String(name).endsWith('.RSA'))
    const block = Buffer.from(parts[index]?.content ?? '')
    for (let at = block.length - 256; at < block.length; at += 37) {
      const answer = await verify(
        archive(parts.with(index, { name: 'META-INF/FIRST.RSA', content: changed(block, at) })),
      )
      expect([at, answer.fault]).toEqual([at, 'signatureWrong'])
    }
  })
})

describe('a newer version', () => {
  const digestsOf = async (name: string) => (await verify(fixture(name))).signers.map(({ sha256 }) => sha256)

  it('replaces an older one of the same signers', async () => {
    expect(mayReplace(await digestsOf('v1.apk'), await verify(fixture('v1-v2-v3.apk')))).toBe(true)
    expect(mayReplace(await digestsOf('two-signers.apk'), await verify(fixture('two-signers.apk')))).toBe(true)
  })

  it('replaces one whose key has handed over, not the other way round', async () => {
    expect(mayReplace(await digestsOf('v1.apk'), await verify(fixture('rotated.apk')))).toBe(true)
    expect(mayReplace(await digestsOf('rotated.apk'), await verify(fixture('v1.apk')))).toBe(false)
  })

  it('does not replace one of another signer, of more signers, or when nobody is proven', async () => {
    expect(mayReplace(await digestsOf('v1.apk'), await verify(fixture('v2-v3.apk')))).toBe(false)
    expect(mayReplace(await digestsOf('two-signers.apk'), await verify(fixture('v1.apk')))).toBe(false)
    expect(mayReplace(await digestsOf('v1.apk'), await verify(fixture('unsigned.apk')))).toBe(false)
    expect(mayReplace([], await verify(fixture('v1.apk')))).toBe(false)
  })
})
