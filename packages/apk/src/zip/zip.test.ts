import { crc32, deflateRawSync } from 'node:zlib'
import { describe, expect, it, test } from 'vitest'
import type { Source } from '../source.ts'
import { archive, counted, type Ending, fixture, type Part, reasonOf, records64, sourceOf } from '../test/archives.ts'
import { openEntry, readEntry } from './content.ts'
import type { ZipLimits } from './limits.ts'
import { openZip } from './zip.ts'

const MiB = 1024 * 1024
const opened = (parts: readonly Part[], ending?: Ending, leading?: Buffer) =>
  openZip(sourceOf(archive(parts, ending, leading)))
const reason = (parts: readonly Part[], ending?: Ending, leading?: Buffer) => reasonOf(opened(parts, ending, leading))

async function drain(bytes: Buffer, limits: Partial<ZipLimits> = {}) {
  const zip = await openZip(sourceOf(bytes), limits)
  let given = 0
  for (const entry of zip.entries) for await (const piece of openEntry(zip, entry)) given += piece.length
  return given
}

describe('an archive', () => {
  it('is read, stored and deflated, with its folders', async () => {
    const zip = await opened([
      { name: 'a/' },
      { name: 'a/one.txt', content: 'one' },
      { name: 'a/二.txt', content: 'two '.repeat(1000), deflate: true },
    ])
    expect(zip.entries.map(({ name, isFolder, size }) => [name, isFolder, size])).toEqual([
      ['a/', true, 0],
      ['a/one.txt', false, 3],
      ['a/二.txt', false, 4000],
    ])
    const two = zip.find('a/二.txt')
    expect(two && (await readEntry(zip, two, 4000)).toString()).toBe('two '.repeat(1000))
    expect(await reasonOf(two ? readEntry(zip, two, 3999) : Promise.resolve())).toBe('tooLarge')
  })

  it('is read with a comment, with sizes behind the content, and in the larger format', async () => {
    expect(await reason([{ name: 'a', content: 'x' }], { comment: Buffer.from('PK and more') })).toBe('taken')
    const follow = { flags: 8, crc32: 0, size: 0, packedSize: 0 }
    expect(await reason([{ name: 'a', content: 'x', header: follow, listed: { flags: 8 } }])).toBe('taken')
    expect(await reasonOf(openZip(sourceOf(fixture('zip64.zip'))))).toBe('taken')
  })

  it('of four gibibytes is opened without being read', async () => {
    const size = 0xf000_0000
    const head = archive([{ name: 'big', header: { size, packedSize: size }, listed: { size, packedSize: size } }])
    const header = head.subarray(0, 33)
    const tail = Buffer.from(head.subarray(33))
    tail.writeUInt32LE(header.length + size, tail.length - 6)
    const at = header.length + size
    const source: Source = {
      size: at + tail.length,
      async read(offset, length) {
        const bytes = Buffer.alloc(length)
        header.copy(bytes, 0, Math.min(offset, header.length))
        if (offset + length > at) tail.copy(bytes, Math.max(0, at - offset), Math.max(0, offset - at))
        return bytes
      },
    }
    const reading = counted(source)
    expect((await openZip(reading)).find('big')?.size).toBe(size)
    expect(reading.total()).toBeLessThan(MiB)
  })
})

describe('an archive is refused', () => {
  test.each<[string, string | Buffer]>([
    ['nameLeaves', '../x'],
    ['nameLeaves', 'a/../../x'],
    ['nameLeaves', 'a/..'],
    ['nameLeaves', '/etc/passwd'],
    ['nameLeaves', 'C:\\x'],
    ['nameLeaves', 'c:x'],
    ['nameLeaves', 'a\\..\\x'],
    ['nameLeaves', '..\\x'],
    ['nameWrong', 'a\0b'],
    ['nameWrong', 'a\nb'],
    ['nameWrong', ''],
    ['nameWrong', 'x'.repeat(5000)],
    ['nameTooDeep', `${'d/'.repeat(300)}x`],
  ])('for %s: %j', async (expected, name) => {
    expect(await reason([{ name: 'fine', content: 'x' }, { name }])).toBe(expected)
  })

  test.each([
    ['the same name', 'a/b', 'a/b'],
    ['the same place', 'a/b', './a//b'],
    ['a folder and a file', 'a/b', 'a/b/'],
  ])('for %s twice', async (_, one, two) => {
    expect(await reason([{ name: one }, { name: two }])).toBe('nameTwice')
  })

  test.each([
    ['a link', 0xa1ff],
    ['a device', 0x2180],
    ['a disk', 0x6180],
    ['a pipe', 0x1180],
    ['a socket', 0xc180],
  ])('for %s', async (_, mode) => {
    expect(await reason([{ name: 'a', listed: { attributes: mode * 0x10000 } }])).toBe('notAFile')
  })

  test.each<[string, string, Part['listed'], Part['header']]>([
    ['an encrypted entry', 'encrypted', { flags: 1 }, { flags: 1 }],
    ['one that only its own header calls encrypted', 'headerDiffers', {}, { flags: 1 }],
    ['a method nobody knows', 'methodUnknown', { method: 12 }, { method: 12 }],
    ['another method in its own header', 'headerDiffers', {}, { method: 8 }],
    ['another name in its own header', 'headerDiffers', {}, { name: Buffer.from('b') }],
    ['another size in its own header', 'headerDiffers', {}, { size: 2 }],
    ['another checksum in its own header', 'headerDiffers', {}, { crc32: 1 }],
    ['a stored entry of two sizes', 'sizeDiffers', { size: 2 }, { size: 2 }],
    ['a size that should be elsewhere and is not', 'zip64Wrong', { size: 0xffffffff }, {}],
    ['content on another disk', 'severalDisks', { disk: 1 }, {}],
    ['content behind the end', 'overlapping', { size: 1000, packedSize: 1000 }, { size: 1000, packedSize: 1000 }],
    ['a header behind the end', 'overlapping', { offset: 0x7fffffff }, {}],
  ])('for %s', async (_, expected, listed, header) => {
    const parts = [{ name: '0' }, { name: 'a', content: 'x', listed: listed ?? {}, header: header ?? {} }]
    expect(await reason(parts)).toBe(expected)
  })

  it('for a larger-format field that says something else', async () => {
    const extra = Buffer.alloc(20)
    extra.writeUInt16LE(1, 0)
    extra.writeUInt16LE(16, 2)
    extra.writeBigUInt64LE(99n, 4)
    expect(await reason([{ name: 'a', content: 'x', listed: { extra } }])).toBe('zip64Wrong')
  })

  it('for entries that share their content', async () => {
    // Every entry but the first points to the first one's header: the zip bomb that needs no nesting.
    const content = deflateRawSync(Buffer.alloc(MiB))
    const same = { method: 8, crc32: crc32(Buffer.alloc(MiB)), size: MiB }
    const one: Part = { name: 'a', content, header: same, listed: same }
    expect(await reason([one, { name: 'b', listed: { offset: 0 } }])).toBe('overlapping')
    // One lies inside the content of another.
    const inner = archive([{ name: 'b', content: 'x' }]).subarray(0, 32)
    const offset = 31
    const parts = [
      { name: 'a', content: inner },
      { name: 'b', content: 'x', listed: { offset } },
    ]
    expect(await reason(parts)).toBe('overlapping')
  })

  test.each<[string, string, Ending]>([
    ['fewer entries than it says', 'directoryBroken', { entries: 3 }],
    ['more entries than it says', 'directoryBroken', { entries: 1 }],
    ['a directory elsewhere', 'directoryBroken', { offset: 0 }],
    ['bytes between the directory and its end', 'directoryBroken', { between: () => Buffer.alloc(10) }],
    ['several disks', 'severalDisks', { disk: 1 }],
    ['sizes that should be elsewhere', 'zip64Wrong', { size: 0xffffffff }],
  ])('for %s', async (_, expected, ending) => {
    expect(await reason([{ name: 'a' }, { name: 'b' }], ending)).toBe(expected)
  })

  it('for nothing in it', async () => {
    expect(await reason([])).toBe('empty')
  })

  it('for two possible ends', async () => {
    const inner = archive([{ name: 'b' }]).subarray(-22)
    expect(await reason([{ name: 'a' }], { comment: inner })).toBe('endAmbiguous')
  })

  test.each<[string, Partial<{ entries: number; size: number; offset: number; recordAt: number }>]>([
    ['another count', { entries: 3 }],
    ['another directory', { offset: 0 }],
    ['a record elsewhere', { recordAt: 0 }],
    ['numbers beyond all files', { offset: Number.MAX_SAFE_INTEGER }],
  ])('for larger-format records with %s', async (_, lie) => {
    const between = ({ offset, size }: { offset: number; size: number }) =>
      records64({ entries: 1, size, offset, recordAt: offset + size, ...lie })
    expect(await reason([{ name: 'a' }], { between })).toBe('zip64Wrong')
    const honest = ({ offset, size }: { offset: number; size: number }) =>
      records64({ entries: 1, size, offset, recordAt: offset + size })
    expect(await reason([{ name: 'a' }], { between: honest, size: 0xffffffff, offset: 0xffffffff })).toBe('taken')
  })

  it('for bytes before it, because it could be something else as well', async () => {
    expect(await reason([{ name: 'a' }], {}, Buffer.from('dex\n035\0'))).toBe('leadingBytes')
  })

  it('for bytes behind it, and where it is none', async () => {
    const bytes = archive([{ name: 'a' }])
    expect(await reasonOf(openZip(sourceOf(Buffer.concat([bytes, Buffer.from('x')]))))).toBe('notAnArchive')
    expect(await reasonOf(openZip(sourceOf(Buffer.alloc(0))))).toBe('notAnArchive')
    expect(await reasonOf(openZip(sourceOf(Buffer.alloc(100_000))))).toBe('notAnArchive')
  })

  it('for one entry too many, not before', async () => {
    const parts = [...Array(10_001).keys()].map((name) => ({ name: `${name}` }))
    expect(await reason(parts)).toBe('tooManyEntries')
    expect(await reason(parts.slice(1))).toBe('taken')
  })
})

describe('what comes out of an entry', () => {
  const zeros = (length: number) => archive([{ name: 'a', content: Buffer.alloc(length), deflate: true }])

  it('is refused when one byte becomes more than a hundred', async () => {
    expect(await reasonOf(drain(zeros(3 * MiB)))).toBe('ratioTooHigh')
    expect(await drain(zeros(MiB))).toBe(MiB)
    expect(await drain(zeros(3 * MiB), { ratio: 2000 })).toBe(3 * MiB)
  })

  it('is counted over the whole archive while it comes', async () => {
    const parts = [...Array(4).keys()].map((name) => ({ name: `${name}`, content: Buffer.alloc(MiB), deflate: true }))
    expect(await reasonOf(drain(archive(parts), { inflated: 4 * MiB - 1 }))).toBe('tooLarge')
    expect(await drain(archive(parts), { inflated: 4 * MiB })).toBe(4 * MiB)
  })

  it('is as much as was said, and not a byte more is asked for', async () => {
    const lie = { size: 10 }
    const bytes = archive([{ name: 'a', content: 'x'.repeat(MiB), deflate: true, header: lie, listed: lie }])
    const zip = await openZip(sourceOf(bytes))
    let given = 0
    const read = async () => {
      for (const entry of zip.entries) for await (const piece of openEntry(zip, entry)) given += piece.length
    }
    expect(await reasonOf(read())).toBe('sizeDiffers')
    expect(given).toBe(0)
  })

  it('has its checksum, ends where it says and is deflated at all', async () => {
    const wrong = { crc32: 1 }
    expect(await reasonOf(drain(archive([{ name: 'a', content: 'x', header: wrong, listed: wrong }])))).toBe(
      'contentBroken',
    )
    const packed = deflateRawSync(Buffer.from('text'))
    const fields = { method: 8, crc32: crc32('text'), size: 4 }
    const as = (content: Buffer) => archive([{ name: 'a', content, header: fields, listed: fields }])
    expect(await drain(as(packed))).toBe(4)
    expect(await reasonOf(drain(as(Buffer.concat([packed, Buffer.from('more')]))))).toBe('sizeDiffers')
    expect(await reasonOf(drain(as(packed.subarray(0, -2))))).toBe('contentBroken')
    expect(await reasonOf(drain(as(Buffer.from('no deflate'))))).toBe('contentBroken')
  })

  it('can be left in the middle', async () => {
    const zip = await openZip(sourceOf(zeros(MiB)))
    const [entry] = zip.entries
    if (entry) for await (const piece of openEntry(zip, entry)) if (piece.length > 0) break
    expect(zip.entries).toHaveLength(1)
  })
})
