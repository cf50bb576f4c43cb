import { posterMaxBytes } from '@campanile/contract'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addDepartment, addRole, addUser } from '../../test/app.ts'
import { addDevices } from '../../test/devices.ts'
import { eventually } from '../../test/mqtt.ts'
import { pngOf } from '../../test/png.ts'
import { announce, finish, sendPart } from '../../test/uploads.ts'
import { type Person, startWorld, type World } from '../../test/world.ts'
import { createActs, standDevice } from '../release/release.fixture.ts'
import { expireShown } from './shown.ts'

let world: World
let person: Person
const path = '/api/v3/device/sliders'

beforeAll(async () => {
  world = await startWorld({ roles: ['api', 'gateway', 'worker'] })
  person = await world.as('alder.admin')
})
afterAll(() => world.stop())

let shade = 0
/** Another picture each time. */
const picture = (width = 480, height = 800) => Buffer.concat([pngOf(width, height), Buffer.from(`${++shade}`)])
const upload = async (bytes: Buffer, name = 'poster.png', by = person) => {
  const { data, code } = await announce(by, bytes, { purpose: 'poster', name })
  if (code !== 100000) return { code, id: 0 }
  if (data.state === 'uploading') await sendPart(by, { id: data.id, part: 0 }, bytes)
  return { code: (await finish(by, data.id)).code, id: data.id }
}
const draft = async (more: object = {}, bytes = picture()) => ({
  title: 'Spring',
  text: 'Everything must go',
  uploadId: (await upload(bytes)).id,
  validUntil: '2999-01-01T00:00:00Z',
  departmentId: world.a.id,
  ...more,
})
const add = async (more: object = {}, bytes = picture()) => {
  const made = await person.post(`${path}/create`, await draft(more, bytes))
  expect(made).toMatchObject({ code: 100000 })
  return Number(made.data.id)
}
const rowsOf = async (query: Record<string, unknown> = {}) =>
  (await person.get(`${path}/list`, { pageSize: 100, ...query })).data.rows as Record<string, unknown>[]
const rowOf = async (id: number) => (await rowsOf({ ids: id }))[0]

describe('a picture', () => {
  it('is refused by its own code, and nothing of it is kept', async () => {
    expect((await upload(picture(), 'poster.gif')).code).toBe(301000)
    expect((await upload(picture(), 'poster.jpeg')).code).toBe(301000)
    expect((await upload(Buffer.alloc(posterMaxBytes + 1, 1))).code).toBe(301001)
    expect((await upload(Buffer.from('<svg onload="alert(1)"/>'))).code).toBe(301000)
    expect((await upload(picture(481, 800))).code).toBe(301002)
    expect((await upload(picture(800, 480))).code).toBe(301002)
    const { rows } = await sql<{ contents: number; uploads: number }>`select (select count(*) from content) as contents,
      (select count(*) from upload) as uploads`.execute(world.db)
    expect(rows[0]).toEqual({ contents: 0, uploads: 0 })
    const largest = Buffer.concat([pngOf(480, 280), Buffer.alloc(posterMaxBytes - pngOf(480, 280).length, 7)])
    expect((await upload(largest)).code).toBe(100000)
  })

  it('that was sent as something else makes no poster', async () => {
    const bytes = picture(100, 100)
    const { data } = await announce(person, bytes, { purpose: 'resource', name: 'small.png' })
    await sendPart(person, { id: data.id, part: 0 }, bytes)
    await finish(person, data.id)
    expect((await person.post(`${path}/create`, await draft({ uploadId: data.id }))).status).toBe(404)
    // The enterprise has these bytes, so nothing is sent, and they are judged when a poster is made of them.
    const { id } = await upload(bytes, 'small.png')
    expect((await person.post(`${path}/create`, await draft({ uploadId: id }))).code).toBe(301002)
  })

  it('is shown to whoever sees the poster', async () => {
    const bytes = picture(480, 280)
    const id = await add({}, bytes)
    expect(await rowOf(id)).toMatchObject({
      imageType: 'banner',
      status: 'draft',
      releaseType: 0,
      source: 'enterprise',
      size: bytes.length,
      fileUrl: `${path}/download?id=${id}`,
    })
    const fetched = (by: Person) =>
      world.app.inject({ url: `${path}/download?id=${id}`, headers: { sessionid: by.token } })
    expect((await fetched(person)).rawPayload.equals(bytes)).toBe(true)
    expect((await fetched(await world.as('birch.admin'))).statusCode).toBe(404)
  })
})

describe('posters', () => {
  it('change places with the one beside them', async () => {
    const [first, second, third] = [
      await add({ position: 20 }),
      await add({ position: 20 }),
      await add({ position: 50 }),
    ]
    const order = async () =>
      (await rowsOf()).map(({ id }) => id).filter((id) => [first, second, third].includes(id as number))
    await person.post(`${path}/moveUp`, { id: third })
    expect(await order()).toEqual([first, third, second])
    await person.post(`${path}/moveDown`, { id: first })
    expect((await order()).indexOf(first)).toBeGreaterThan(0)
    expect((await person.post(`${path}/create`, await draft({ position: 100 }))).code).toBe(100002)
  })

  it('are managed in one name at a time', async () => {
    const other = await addDepartment(world.db, { name: 'Quay', parentId: world.root })
    const permissions = ['slider:list:list', 'slider:list:add', 'slider:list:edit', 'slider:list:delete']
    const role = await addRole(world.db, { departmentId: world.root, permissions, on: [other, world.a.id] })
    await addUser(world.db, { username: 'both', departmentId: world.a.id, roleIds: [role] })
    const both = await world.as('both')
    const { id: uploadId } = await upload(picture(), 'poster.png', both)
    expect((await both.post(`${path}/create`, { ...(await draft()), uploadId })).code).toBe(301004)
    expect((await both.put(`${path}/update`, { id: await add(), title: 'Mine' })).code).toBe(301004)
  })

  it('go to devices with a link to their picture, and stay as they are until they are taken back', async () => {
    const acts = createActs(person)
    const device = await standDevice(world, 'S-1', world.a.shop)
    const bytes = picture()
    const id = await add({ priority: 'high', position: 7 }, bytes)
    const release = (action: string, sns = [device.sn]) =>
      acts.create({ kind: 'poster', itemId: id, action, targets: [{ sns }], mode: 'realTime' } as never)
    expect((await release('hide')).code).toBe(301008)
    expect((await release('show', [])).code).toBe(301005)
    const made = await release('show')
    await eventually(
      () => acts.detail(Number(made.data.id)),
      ({ row }) => row.state === 'ended' && row.succeeded === 1,
    )
    const { file, ...args } = (device.told[0]?.args ?? {}) as { file: { url: string } } & Record<string, unknown>
    expect(args).toMatchObject({ posterId: id, imageType: 'portrait', position: 7, priority: 'high' })
    expect((await world.app.inject({ url: file.url })).rawPayload.equals(bytes)).toBe(true)
    expect(await rowOf(id)).toMatchObject({ status: 'released', releaseType: 1 })
    expect((await person.put(`${path}/update`, { id, title: 'Another' })).code).toBe(301007)
    expect((await person.remove(`${path}/delete`, { ids: [id] })).code).toBe(301007)
    expect((await release('hide')).code).toBe(100000)
    expect(await rowOf(id)).toMatchObject({ status: 'removed', releaseType: 2 })
    device.leave()
  })

  it('end with their validity', async () => {
    const backwards = { validFrom: '2999-02-01T00:00:00Z' }
    expect((await person.post(`${path}/create`, await draft(backwards))).code).toBe(301003)
    await addDevices(world.db, ['S-OFF'], { departmentId: world.a.shop })
    const id = await add()
    const order = { kind: 'poster', itemId: id, targets: [{ sns: ['S-OFF'] }], mode: 'offline' }
    expect((await person.post('/api/v3/release/create', order)).code).toBe(100000)
    await sql`update poster set valid_until = now() where id = ${id}`.execute(world.db)
    await expireShown(world.db, 'poster')
    expect(await rowOf(id)).toMatchObject({ status: 'expired' })
    expect((await person.post('/api/v3/release/create', order)).code).toBe(301003)
    expect((await person.post('/api/v3/release/create', { ...order, itemId: 9_999_999 })).code).toBe(301006)
  })
})

describe('what is meant for a category', () => {
  it('goes to no other device, and the preview says so', async () => {
    await addDevices(world.db, ['DOOR-1'], { departmentId: world.a.shop, type: 1 })
    await addDevices(world.db, ['TILL-1'], { departmentId: world.a.shop, type: 2 })
    const id = await add({ range: 'category', deviceType: 1 })
    const order = { kind: 'poster', itemId: id, targets: [{ sns: ['DOOR-1', 'TILL-1'] }], mode: 'offline' }
    expect((await person.post('/api/v3/release/preview', order)).data).toMatchObject({
      receiving: 1,
      refused: [{ code: 301016, count: 1, sns: ['TILL-1'] }],
    })
    expect(await person.post('/api/v3/release/create', order)).toMatchObject({ code: 301016, data: { sn: 'TILL-1' } })
  })
})
