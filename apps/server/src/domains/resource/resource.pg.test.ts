import { randomBytes } from 'node:crypto'
import { customResource, deviceDownload, downloadResource, linkResource } from '@campanile/contract'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fakeClock } from '../../test/app.ts'
import { sha256Of, uploadWhole } from '../../test/uploads.ts'
import { type Person, startWorld, type World } from '../../test/world.ts'
import { createDownloads } from '../file/download.ts'
import { removeUnneeded } from '../file/upload.routes.ts'

let world: World
let alder: Person
let birch: Person
const clock = fakeClock()
beforeAll(async () => {
  world = await startWorld({ clock })
  alder = await world.as('alder.admin')
  birch = await world.as('birch.admin')
})
afterAll(() => world.stop())

const { path } = customResource.wire
let number = 0
const named = () => `price list ${++number}`
const add = async (
  person: Person,
  bytes: Buffer,
  values: Readonly<Record<string, unknown>> = {},
  fileName = 'a.bin',
) => {
  const { id: uploadId } = await uploadWhole(person, bytes, fileName)
  return person.post(`${path}/create`, { name: named(), type: 'data', departmentId: world.a.id, uploadId, ...values })
}
const contentOf = async (id: number) =>
  (
    await sql<{ contentId: number }>`select content_id as "contentId" from custom_resource where id = ${id}`.execute(
      world.db,
    )
  ).rows[0]?.contentId as number
const get = async (url: string, headers: Readonly<Record<string, string>> = {}) => {
  const { statusCode, headers: told, rawPayload } = await world.app.inject({ method: 'GET', url, headers })
  return { status: statusCode, headers: told, bytes: rawPayload, sha256: sha256Of(rawPayload) }
}

describe('a resource', () => {
  it('is made of an upload, once, and tells what it is', async () => {
    const bytes = randomBytes(5000)
    const upload = await uploadWhole(alder, bytes, '价目表.csv')
    const draft = { name: named(), type: 'data', departmentId: world.a.shop, uploadId: upload.id }
    const { data } = await alder.post(`${path}/create`, draft)
    const { rows } = (await alder.get(`${path}/list`, { ids: data.id })).data as { rows: object[] }
    expect(rows).toEqual([
      expect.objectContaining({
        name: draft.name,
        fileName: '价目表.csv',
        size: 5000,
        sha256: sha256Of(bytes),
        creatorName: 'alder admin',
        departmentName: 'alder shop',
      }),
    ])
    expect((await alder.post(`${path}/create`, { ...draft, name: named() })).code).toBe(53030)
  })

  it('has a name that no other of its enterprise has, in whichever department', async () => {
    const name = named()
    expect((await add(alder, randomBytes(10), { name })).code).toBe(100000)
    expect(await add(alder, randomBytes(10), { name: name.toUpperCase(), departmentId: world.a.shop })).toMatchObject({
      code: 300001,
      status: 409,
    })
    expect((await add(birch, randomBytes(10), { name, departmentId: world.b.id })).code).toBe(100000)
  })

  it('is made of no upload of somebody else, and of none that is not complete', async () => {
    const { id } = await uploadWhole(birch, randomBytes(10))
    const draft = { name: named(), type: 'data', departmentId: world.a.id }
    expect((await alder.post(`${path}/create`, { ...draft, uploadId: id })).code).toBe(53030)
    expect((await alder.post(`${path}/create`, { ...draft, uploadId: 999_999 })).code).toBe(53030)
  })

  it('that passes to another enterprise takes its bytes with it, and both have them', async () => {
    const harbour = await world.as('harbour.admin')
    const bytes = randomBytes(100)
    const { data: first } = await add(alder, bytes)
    const { data: second } = await add(harbour, bytes)
    await harbour.put(`${path}/update`, { id: second.id, departmentId: world.b.id })
    const { rows } = await sql<{ enterpriseId: number; key: string }>`
      select c.enterprise_id as "enterpriseId", c.stored_as as key from custom_resource r join content c on c.id = r.content_id
      where r.id = any(${[first.id, second.id]}) order by r.id`.execute(world.db)
    expect(rows.map(({ enterpriseId }) => enterpriseId)).toEqual([world.a.id, world.b.id])
    // Deleted in one, it is still there in the other.
    await alder.remove(`${path}/delete`, { ids: [first.id] })
    await sql`update content set create_time = now() - interval '2 days'`.execute(world.db)
    await removeUnneeded(world.app.services)
    const { bytes: got } = await get(`${downloadResource.path}?id=${second.id}`, { sessionid: birch.token })
    expect(got).toEqual(bytes)
    await birch.remove(`${path}/delete`, { ids: [second.id] })
    await removeUnneeded(world.app.services)
    const left = await sql`select from content where sha_256 = ${Buffer.from(sha256Of(bytes), 'hex')}`.execute(world.db)
    expect(left.rows).toEqual([])
  })
})

describe('its file', () => {
  const bytes = randomBytes(9 * 1024 * 1024)
  let id: number
  beforeAll(async () => {
    id = (await add(alder, bytes, {}, '价 "目" 表.zip.bin')).data.id as number
  })
  const url = () => `${downloadResource.path}?id=${id}`

  it('is fetched whole, in part, and not again where somebody has it', async () => {
    const person = { sessionid: alder.token }
    const whole = await get(url(), person)
    expect(whole).toMatchObject({ status: 200, sha256: sha256Of(bytes) })
    expect(whole.headers).toMatchObject({
      etag: `"${sha256Of(bytes)}"`,
      'accept-ranges': 'bytes',
      'content-length': String(bytes.length),
      'x-content-type-options': 'nosniff',
      filename: encodeURIComponent('价 "目" 表.zip.bin'),
      timestamp: expect.stringMatching(/^\d+$/),
      'content-disposition': expect.stringContaining('attachment'),
    })
    const across = await get(url(), { ...person, range: 'bytes=8388600-8388620' })
    expect(across).toMatchObject({ status: 206, sha256: sha256Of(bytes.subarray(8_388_600, 8_388_621)) })
    expect(across.headers['content-range']).toBe(`bytes 8388600-8388620/${bytes.length}`)
    expect(await get(url(), { ...person, range: `bytes=${bytes.length}-` })).toMatchObject({ status: 416 })
    expect(await get(url(), { ...person, 'if-none-match': `"${sha256Of(bytes)}"` })).toMatchObject({ status: 304 })
    expect(await get(url(), { ...person, range: 'bytes=0-1', 'if-range': '"another"' })).toMatchObject({ status: 200 })
  })

  it('is nobody else’s', async () => {
    expect(await get(url(), { sessionid: birch.token })).toMatchObject({ status: 404 })
    expect(await get(url())).toMatchObject({ status: 401 })
  })

  it('has an address to pass on, for whoever may have it themselves', async () => {
    const asked = { id }
    const { url: link, until } = (await alder.get(linkResource.path, asked)).data
    expect(await get(String(link))).toMatchObject({ status: 200, sha256: sha256Of(bytes) })
    expect(Date.parse(String(until)) - clock.now().getTime()).toBeGreaterThan(86_000_000)
    expect(await birch.get(linkResource.path, asked)).toMatchObject({ code: 100017 })
  })

  it('is fetched by a device with a link, until the link is over', async () => {
    const { linkFor } = createDownloads(world.app.services)
    const contentId = await contentOf(id)
    const soon = Math.floor(clock.now().getTime() / 1000) + 600
    const link = linkFor(contentId, soon)
    expect(await get(link)).toMatchObject({ status: 200, sha256: sha256Of(bytes) })
    expect(await get(link, { range: 'bytes=100-' })).toMatchObject({
      status: 206,
      sha256: sha256Of(bytes.subarray(100)),
    })
    const codeOf = async (address: string) => {
      const { status, bytes: body } = await get(address)
      return [status, JSON.parse(body.toString()).code]
    }
    const refused = [403, 53042]
    expect(await codeOf(link.replace(`/${contentId}?`, `/${contentId + 1}?`))).toEqual(refused)
    expect(await codeOf(link.replace(`until=${soon}`, `until=${soon + 1}`))).toEqual(refused)
    expect(await codeOf(deviceDownload.path.replace(':id', String(contentId)))).toEqual(refused)
    clock.advance(601)
    expect(await codeOf(link)).toEqual(refused)
    // However long somebody asks for, a link is good for a day.
    expect(linkFor(contentId, soon + 1_000_000)).toContain(`until=${Math.floor(clock.now().getTime() / 1000) + 86_400}`)
  })
})
