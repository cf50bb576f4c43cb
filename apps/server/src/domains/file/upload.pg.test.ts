import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readdir, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { cancelUpload, pendingUploads, sendUploadPart, uploadInfo, uploadsUnderWay } from '@campanile/contract'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import type { FolderParts } from '../../platform/parts.ts'
import { pngOf } from '../../test/png.ts'
import { headersOf, openRaw } from '../../test/raw-http.ts'
import { announce, finish, md5Of, partsOf, sendPart, sha256Of, uploadWhole } from '../../test/uploads.ts'
import { type Person, startWorld, type World } from '../../test/world.ts'
import { removeUnneeded } from './upload.routes.ts'

let world: World
let alder: Person
let operator: Person
let birch: Person
beforeAll(async () => {
  world = await startWorld()
  alder = await world.as('alder.admin')
  operator = await world.as('alder.operator')
  birch = await world.as('birch.admin')
})
afterAll(() => world.stop())
afterEach(() => vi.restoreAllMocks())

const megabyte = 1024 * 1024
/** Bytes that no other test has. */
const fresh = (length = 1000) => randomBytes(length)
const onDisk = async () => {
  const folder = join(world.app.services.config.dataDir, 'files')
  return (await readdir(folder, { recursive: true, withFileTypes: true })).filter((entry) => !entry.isDirectory())
}
const rows = async (table: 'upload' | 'content' | 'discarded_content') =>
  (await sql<{ n: number }>`select count(*) as n from ${sql.table(table)}`.execute(world.db)).rows[0]?.n

describe('a file in parts', () => {
  it('arrives in any order, side by side, and is one content', async () => {
    const bytes = fresh(17 * megabyte + 5)
    const { data: begun } = await announce(alder, bytes)
    expect(begun).toMatchObject({ state: 'uploading', instant: false, chunkCount: 3, received: [] })
    const parts = partsOf(bytes, begun.chunkSize)
    const answers = await Promise.all(
      [2, 0, 1].map((part) => sendPart(alder, { id: begun.id, part }, parts[part]?.bytes as Buffer)),
    )
    expect(answers.map(({ code }) => code)).toEqual([100000, 100000, 100000])
    expect(await finish(alder, begun.id)).toMatchObject({
      code: 100000,
      data: { state: 'complete', size: bytes.length, sha256: sha256Of(bytes), received: [0, 1, 2] },
    })
  })

  it('goes on where it stopped, for the same person and the same file only', async () => {
    const bytes = fresh(9 * megabyte)
    const { data: begun } = await announce(alder, bytes)
    const [first, second] = partsOf(bytes, begun.chunkSize)
    await sendPart(alder, { id: begun.id, part: 0 }, first?.bytes as Buffer)
    expect(await announce(alder, bytes, { name: 'renamed.bin' })).toMatchObject({
      data: { id: begun.id, received: [0], name: 'renamed.bin' },
    })
    expect(await alder.get(uploadInfo.path, { id: begun.id })).toMatchObject({ data: { received: [0] } })
    const { uploads } = (await alder.get(pendingUploads.path)).data as { uploads: { id: number }[] }
    expect(uploads.map(({ id }) => id)).toContain(begun.id)
    // Another total is another file, and a colleague's is another upload.
    const other = await announce(alder, bytes, { size: bytes.length - 1 })
    const theirs = await announce(operator, bytes)
    expect(new Set([begun.id, other.data.id, theirs.data.id]).size).toBe(3)
    for (const [who, id] of [
      [alder, other.data.id],
      [operator, theirs.data.id],
    ] as const)
      await who.remove(cancelUpload.path, { id })
    await sendPart(alder, { id: begun.id, part: 1 }, second?.bytes as Buffer)
    expect((await finish(alder, begun.id)).code).toBe(100000)
  })

  it('passes at once where the enterprise has it, and nowhere else', async () => {
    const bytes = fresh()
    await uploadWhole(alder, bytes)
    expect(await announce(operator, bytes)).toMatchObject({ data: { state: 'complete', instant: true } })
    expect(await announce(birch, bytes)).toMatchObject({ data: { state: 'uploading', instant: false, received: [] } })
  })

  it('that two colleagues send at the same time is kept once', async () => {
    const bytes = fresh()
    const before = (await rows('content')) as number
    const begun = await Promise.all([announce(alder, bytes), announce(operator, bytes)])
    const people = [alder, operator]
    for (const [at, { data }] of begun.entries()) await sendPart(people[at] as Person, { id: data.id, part: 0 }, bytes)
    const lying = (await onDisk()).length
    const done = await Promise.all(begun.map(({ data }, at) => finish(people[at] as Person, data.id)))
    expect(done.map(({ code }) => code)).toEqual([100000, 100000])
    expect(await rows('content')).toBe(before + 1)
    expect(await onDisk()).toHaveLength(lying - 1)
  })

  it('is finished once, however often and however much at once that is asked for', async () => {
    const bytes = fresh()
    const { data: begun } = await announce(alder, bytes)
    await sendPart(alder, { id: begun.id, part: 0 }, bytes)
    const answers = await Promise.all(Array.from({ length: 4 }, () => finish(alder, begun.id)))
    expect(answers.map(({ code, data }) => [code, data.id, data.state])).toEqual(
      Array.from({ length: 4 }, () => [100000, begun.id, 'complete']),
    )
    expect((await finish(alder, begun.id)).data.state).toBe('complete')
    const found = await sql`select from content where sha_256 = ${Buffer.from(sha256Of(bytes), 'hex')}`.execute(
      world.db,
    )
    expect(found.rows).toHaveLength(1)
  })
})

describe('a part', () => {
  it('that comes again is taken quietly, also after the end, and changes nothing', async () => {
    const bytes = fresh()
    const { data: begun } = await announce(alder, bytes)
    const other = fresh()
    const send = (content: Buffer) => sendPart(alder, { id: begun.id, part: 0 }, content)
    expect(await Promise.all([send(bytes), send(bytes)])).toMatchObject([{ code: 100000 }, { code: 100000 }])
    expect(await send(other)).toMatchObject({ code: 100000, data: { received: [0] } })
    expect(await finish(alder, begun.id)).toMatchObject({ code: 100000, data: { sha256: sha256Of(bytes) } })
    expect(await send(other)).toMatchObject({ code: 100000, data: { received: [0] } })
    const { rows: kept } = await sql<{
      key: string
    }>`select stored_as as key from upload where id = ${begun.id}`.execute(world.db)
    const { parts } = world.app.services.files
    const layout = { key: kept[0]?.key as string, size: bytes.length, partBytes: begun.chunkSize }
    const chunks = await parts.read(layout, { first: 0, last: bytes.length - 1 }).toArray()
    expect(Buffer.concat(chunks as Buffer[])).toEqual(bytes)
  })

  it.each([
    ['negative', '-1'],
    ['huge', '99999999999999999999'],
    ['no number', 'one'],
    ['a fraction', '0.5'],
    ['beyond the last', '1'],
  ])('whose number is %s is refused', async (_, part) => {
    const bytes = fresh()
    const { data: begun } = await announce(alder, bytes)
    expect(await sendPart(alder, { id: begun.id, part }, bytes)).toMatchObject({ status: 400, code: 53039 })
    await alder.remove(cancelUpload.path, { id: begun.id })
  })

  it('that is longer or shorter than announced is refused, and nothing of it stays', async () => {
    const bytes = fresh(1024)
    const { data: begun } = await announce(alder, bytes)
    const before = await onDisk()
    const much = Buffer.alloc(20 * megabyte)
    const wrong = { code: 53039, status: 400 }
    expect(await sendPart(alder, { id: begun.id, part: 0 }, much)).toMatchObject(wrong)
    expect(await sendPart(alder, { id: begun.id, part: 0 }, bytes.subarray(1))).toMatchObject(wrong)
    // Without a length, by a sender that does not say how much will come.
    const { port } = new URL(await world.app.listen({ host: '127.0.0.1', port: 0 }))
    const query = new URLSearchParams({ id: String(begun.id), part: '0', md5: md5Of(bytes) })
    const line = openRaw(Number(port))
    line.write(
      headersOf('PUT', `${sendUploadPart.path}?${query}`, {
        sessionid: alder.token,
        'transfer-encoding': 'chunked',
        connection: 'close',
      }),
    )
    for (let sent = 0; sent < 8; sent += 1) line.write(`200\r\n${'x'.repeat(512)}\r\n`)
    expect(await line.answered).toEqual(wrong)
    line.socket.destroy()
    expect(await onDisk()).toEqual(before)
    expect(await finish(alder, begun.id)).toMatchObject({ code: 53031, status: 409 })
    await alder.remove(cancelUpload.path, { id: begun.id })
  })

  it('that was damaged on the way is refused and taken when it is sent again', async () => {
    const bytes = fresh()
    const { data: begun } = await announce(alder, bytes)
    const damaged = Buffer.from(bytes)
    damaged[0] = (damaged[0] as number) ^ 1
    const told = { id: begun.id, part: 0, md5: md5Of(bytes) }
    expect(await sendPart(alder, told, damaged)).toMatchObject({ code: 53032, status: 400 })
    expect(await sendPart(alder, told, bytes)).toMatchObject({ code: 100000 })
    expect((await finish(alder, begun.id)).code).toBe(100000)
  })

  it('of another person’s upload is refused like one of none, and so is all else of it', async () => {
    const bytes = fresh()
    const { data: begun } = await announce(alder, bytes)
    for (const stranger of [operator, birch]) {
      const id = begun.id
      expect(await sendPart(stranger, { id, part: 0 }, bytes)).toMatchObject({ code: 53030, status: 404 })
      expect((await stranger.get(uploadInfo.path, { id })).code).toBe(53030)
      expect((await finish(stranger, id)).code).toBe(53030)
      expect((await stranger.remove(cancelUpload.path, { id })).code).toBe(53030)
    }
    expect(await sendPart(alder, { id: begun.id, part: 0 }, bytes)).toMatchObject({ code: 100000 })
    expect((await finish(alder, begun.id)).code).toBe(100000)
  })
})

describe('what is given up', () => {
  it('a file that is not what was announced gives its space back', async () => {
    const bytes = fresh()
    const before = await onDisk()
    const { data: begun } = await announce(alder, bytes, { sha256: sha256Of(fresh()) })
    await sendPart(alder, { id: begun.id, part: 0 }, bytes)
    expect(await finish(alder, begun.id)).toMatchObject({ code: 53033, status: 400 })
    expect((await finish(alder, begun.id)).code).toBe(53030)
    expect(await onDisk()).toEqual(before)
  })

  it('so does one that is cancelled in the middle', async () => {
    const bytes = fresh(9 * megabyte)
    const before = await onDisk()
    const { data: begun } = await announce(alder, bytes)
    await sendPart(alder, { id: begun.id, part: 0 }, bytes.subarray(0, begun.chunkSize))
    expect((await alder.remove(cancelUpload.path, { id: begun.id })).code).toBe(100000)
    expect(await onDisk()).toEqual(before)
    expect(await sendPart(alder, { id: begun.id, part: 1 }, bytes.subarray(begun.chunkSize))).toMatchObject({
      code: 53030,
    })
  })

  // Writing there fails as it does on a full disk: the kernel says so, not the test.
  it.runIf(existsSync('/dev/full'))('so does one for which the disk became too small', async () => {
    const bytes = fresh(9 * megabyte)
    const before = await onDisk()
    const { data: begun } = await announce(alder, bytes)
    const [first, second] = partsOf(bytes, begun.chunkSize)
    await sendPart(alder, { id: begun.id, part: 0 }, first?.bytes as Buffer)
    const { parts } = world.app.services.files
    const { rows: found } = await sql<{ key: string }>`select stored_as as key from upload
      where id = ${begun.id}`.execute(world.db)
    const key = found[0]?.key as string
    const half = 'f'.repeat(32)
    await symlink(
      '/dev/full',
      join(world.app.services.config.dataDir, 'files', key.slice(0, 2), `${key}.parts`, `1.${half}.part`),
    )
    vi.spyOn(parts as FolderParts, 'newKey').mockReturnValueOnce(half)
    expect(await sendPart(alder, { id: begun.id, part: 1 }, second?.bytes as Buffer)).toMatchObject({
      code: 53037,
      status: 503,
    })
    expect(await onDisk()).toEqual(before)
    expect((await finish(alder, begun.id)).code).toBe(53030)
  })

  it('nothing is begun that the disk has no room for', async () => {
    vi.spyOn(world.app.services.files.parts, 'space').mockResolvedValueOnce(megabyte)
    expect(await announce(alder, fresh())).toMatchObject({ code: 53037, status: 503 })
  })

  it('what nobody touched for a day goes, and what no row names; what is touched or named stays', async () => {
    const half = fresh()
    const forgotten = await announce(alder, half)
    await sendPart(alder, { id: forgotten.data.id, part: 0 }, half)
    const unnamed = await uploadWhole(alder, fresh())
    const recent = await announce(alder, fresh())
    const old = [forgotten.data.id, unnamed.id]
    await sql`update upload set touched_time = now() - interval '25 hours' where id = any(${old})`.execute(world.db)
    await sql`update content set create_time = now() - interval '25 hours'
      where id = (select content_id from upload where id = ${unnamed.id})`.execute(world.db)
    const lying = (await onDisk()).length
    await removeUnneeded(world.app.services)
    expect(await onDisk()).toHaveLength(lying - 2)
    expect(await rows('discarded_content')).toBe(0)
    for (const id of old) expect((await alder.get(uploadInfo.path, { id })).code).toBe(53030)
    expect((await alder.get(uploadInfo.path, { id: recent.data.id })).code).toBe(100000)
  })

  it('a part that is lost from the disk is asked for again', async () => {
    const bytes = fresh()
    const { data: begun } = await announce(alder, bytes)
    await sendPart(alder, { id: begun.id, part: 0 }, bytes)
    const { parts } = world.app.services.files
    const { rows: found } = await sql<{ key: string }>`select stored_as as key from upload
      where id = ${begun.id}`.execute(world.db)
    const key = found[0]?.key as string
    await parts.remove(key)
    await parts.begin(key)
    expect((await finish(alder, begun.id)).code).toBe(53031)
    expect((await alder.get(uploadInfo.path, { id: begun.id })).data.received).toEqual([])
    await sendPart(alder, { id: begun.id, part: 0 }, bytes)
    expect((await finish(alder, begun.id)).code).toBe(100000)
  })
})

describe('what is not begun', () => {
  it('a file that is too large, without a byte, without a name or with a path for one', async () => {
    expect(await announce(alder, fresh(), { size: 2 * 1024 ** 3 + 1 })).toMatchObject({ code: 53034, status: 413 })
    expect((await announce(alder, fresh(), { size: 0 })).code).toBe(100002)
    expect((await announce(alder, fresh(), { name: '../../etc/passwd' })).code).toBe(100002)
    expect((await announce(alder, fresh(), { purpose: 'anything' })).code).toBe(100002)
    expect((await announce(alder, fresh(), { sha256: 'short' })).code).toBe(100002)
  })

  it('one by somebody who may not', async () => {
    const auditor = await world.as('alder.auditor')
    expect((await announce(auditor, fresh())).code).toBe(100013)
  })

  it('one more than a person may have under way', async () => {
    const safety = await world.as('birch.operator')
    const begun = []
    for (let n = 0; n < uploadsUnderWay; n += 1) begun.push((await announce(safety, fresh())).data.id)
    expect(await announce(safety, fresh())).toMatchObject({ code: 53035, data: { limit: uploadsUnderWay } })
    for (const id of begun) await safety.remove(cancelUpload.path, { id })
  })

  it('one for which the enterprise has no space left, announced by whomever, also at the same time', async () => {
    const { settings } = world.app.services
    vi.spyOn(settings, 'get').mockImplementation(async (key) =>
      key === 'enterpriseFilesGb' ? 1 : ((await settings.all())[key] as never),
    )
    const large = { size: 600 * megabyte }
    const answers = await Promise.all([announce(birch, fresh(), large), announce(birch, fresh(), large)])
    expect(answers.map(({ code }) => code).sort()).toEqual([100000, 53038].sort())
    // Another enterprise has its own.
    const theirs = await announce(alder, fresh(), large)
    expect(theirs.code).toBe(100000)
    await alder.remove(cancelUpload.path, { id: theirs.data.id })
    for (const { code, data } of answers) if (code === 100000) await birch.remove(cancelUpload.path, { id: data.id })
  })
})

describe('what the bytes are', () => {
  const refusedAs = async (name: string, bytes: Buffer) => {
    const before = await onDisk()
    const { data: begun } = await announce(alder, bytes, { name })
    await sendPart(alder, { id: begun.id, part: 0 }, bytes)
    const { code } = await finish(alder, begun.id)
    if (code !== 100000) expect(await onDisk()).toEqual(before)
    return code
  }
  const zipEnd = (comment = '') =>
    Buffer.concat([
      Buffer.from('PK\u0005\u0006', 'latin1'),
      Buffer.alloc(16),
      Buffer.from([comment.length, 0]),
      Buffer.from(comment),
    ])

  it('a picture that nobody can draw is refused, whatever it is called', async () => {
    expect(await refusedAs('bomb.png', pngOf(65_535, 65_535))).toBe(53041)
    expect(await refusedAs('bomb.bin', Buffer.concat([pngOf(65_535, 65_535), fresh(8)]))).toBe(53041)
    expect(await refusedAs('flat.png', pngOf(0, 10))).toBe(53040)
    expect(await refusedAs('wall.png', pngOf(7680, 4320))).toBe(100000)
  })

  it('a name that promises what is not there is refused, also when the bytes are known', async () => {
    const program = Buffer.concat([Buffer.from('\u007fELF', 'latin1'), fresh()])
    expect(await refusedAs('picture.png', program)).toBe(53040)
    expect(await refusedAs('archive.zip', fresh())).toBe(53040)
    expect(await refusedAs('program.bin', program)).toBe(100000)
    expect((await announce(alder, program, { name: 'picture.jpg' })).code).toBe(53040)
  })

  it('a picture or document that is an archive as well is refused', async () => {
    expect(await refusedAs('both.png', Buffer.concat([pngOf(8, 9), zipEnd()]))).toBe(53040)
    expect(await refusedAs('both.pdf', Buffer.concat([Buffer.from('%PDF-1.7\n'), fresh(), zipEnd('hidden')]))).toBe(
      53040,
    )
    expect(await refusedAs('both.bin', Buffer.concat([pngOf(8, 10), zipEnd()]))).toBe(53040)
    const mentioned = Buffer.concat([pngOf(8, 11), Buffer.from('PK\u0005\u0006', 'latin1'), Buffer.alloc(30)])
    expect(await refusedAs('mentions.png', mentioned)).toBe(100000)
  })
})
