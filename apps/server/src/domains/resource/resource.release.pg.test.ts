import { randomBytes } from 'node:crypto'
import { customResource, releaseResource, resourceReleased } from '@campanile/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addRole, addUser } from '../../test/app.ts'
import { addDevice } from '../../test/devices.ts'
import { sha256Of, uploadWhole } from '../../test/uploads.ts'
import { type Person, startWorld, type World } from '../../test/world.ts'
import {
  createActs,
  failing,
  type ReleaseInput,
  releaseOf,
  type Standing,
  standDevice,
  thorough,
} from '../release/release.fixture.ts'

const bytes = randomBytes(5000)
let world: World
let alder: Person
let till: Standing
let itemId: number

beforeAll(async () => {
  world = await startWorld({ roles: ['api', 'gateway', 'worker'] })
  alder = await world.as('alder.admin')
  till = await standDevice(world, 'TILL-1', world.a.shop, thorough)
  const { id: uploadId } = await uploadWhole(alder, bytes, 'prices.csv')
  const draft = { name: 'Prices', type: 'data', departmentId: world.a.id, uploadId }
  itemId = Number((await alder.post(`${customResource.wire.path}/create`, draft)).data.id)
})
afterAll(async () => {
  till.leave()
  await world.stop()
})

const later = { mode: 'scheduled', beginTime: '2999-01-01T00:00:00Z' } as const
const ordered = (more: Partial<ReleaseInput> = {}) => releaseOf(itemId, ['TILL-1'], { kind: 'resource', ...more })
const { path } = resourceReleased.wire
type Listed = { id: number; sn: string; result: string; releaseId: number }
const listed = async (query: Record<string, unknown> = {}, by = alder) =>
  (await by.get(`${path}/list`, query)).data.rows as object[] as Listed[]

describe('a resource that is released', () => {
  it('is laid into the folder that was said, and stands in the list of its devices', async () => {
    const acts = createActs(alder)
    const made = await alder.post(releaseResource.path, {
      resourceId: itemId,
      path: '/menus/autumn/',
      targets: [{ sns: ['TILL-1'] }],
      mode: 'realTime',
      options: { bytesPerSecond: 50_000 },
      description: 'new prices',
    })
    expect(made).toMatchObject({ code: 100000, data: { total: 1 } })
    const id = Number(made.data.id)
    await acts.until(id, ({ row }) => row.state === 'ended')
    const { name, args } = till.told.at(-1) as { name: string; args: Record<string, unknown> }
    expect({ ...args, command: name }).toMatchObject({
      command: 'putFile',
      name: 'prices.csv',
      path: '/menus/autumn/',
      bytesPerSecond: 50_000,
      file: { size: bytes.length, sha256: sha256Of(bytes), name: 'prices.csv' },
    })
    const fetched = await world.app.inject({ method: 'GET', url: (args.file as { url: string }).url })
    expect(fetched.rawPayload.equals(bytes)).toBe(true)
    expect((await acts.detail(id)).given).toEqual({ path: '/menus/autumn/' })
    expect(await listed({ sn: 'TILL-1', itemName: 'rice', result: 'success' })).toEqual([
      expect.objectContaining({ path: '/menus/autumn/', description: 'new prices', itemName: 'Prices', releaseId: id }),
    ])
    expect(await listed({ result: 'failure' })).toEqual([])
  })

  it('goes to the top folder where none is said, and into none that leads elsewhere', async () => {
    const acts = createActs(alder)
    const id = await acts.begin(ordered(later))
    expect((await acts.detail(id)).given).toEqual({ path: '/' })
    await acts.act('stop', id)
    await acts.until(id, ({ row }) => row.state === 'ended')
    for (const wrong of ['menus/', '/menus', '/../etc/', `/${'m'.repeat(99)}/`])
      expect(await acts.create(ordered({ given: { path: wrong } }))).toMatchObject({
        code: 53036,
        data: { field: 'given.path' },
      })
    expect(
      await alder.post(releaseResource.path, { resourceId: itemId, path: 'a', targets: [], mode: 'offline' }),
    ).toMatchObject({ code: 53036 })
    expect(await acts.create(ordered({ given: { folder: '/' } }))).toMatchObject({ code: 100009 })
    expect(await acts.create(releaseOf(itemId, ['TILL-1'], { given: { path: '/' } }))).not.toMatchObject({
      code: 100000,
    })
  })

  it('is refused with its codes, and not deleted meanwhile', async () => {
    const acts = createActs(alder)
    const refused = async (more: Partial<ReleaseInput>) => (await acts.create(ordered(more))).code
    expect(await refused({ itemId: 999_999 })).toBe(53050)
    expect(await refused({ targets: [] })).toBe(53010)
    expect(await refused({ mode: 'scheduled' })).toBe(53011)
    const id = await acts.begin(ordered(later))
    expect(await refused({})).toBe(53084)
    expect(await alder.remove(`${customResource.wire.path}/delete`, { ids: [itemId] })).toMatchObject({ code: 300002 })
    const [row] = await listed({ result: 'unprocessed' })
    expect(await alder.post(`${path}/cancel`, { ids: [row?.id] })).toMatchObject({
      code: 53022,
      data: { sn: 'TILL-1' },
    })
    expect(await alder.post(`${path}/retry`, { ids: [row?.id] })).toMatchObject({ code: 53023 })
    await acts.act('stop', id)
    await acts.until(id, ({ row: { state } }) => state === 'ended')
    expect(await listed({ result: 'cancelled' })).toHaveLength(2)
  })

  it('is tried again and cancelled from the list of devices, whichever releases they belong to', async () => {
    const acts = createActs(alder)
    till.mind(failing('notEnoughSpace: 12 MB'))
    const id = await acts.begin(ordered({ options: { retries: 0 } }))
    await acts.until(id, ({ row }) => row.state === 'ended')
    const [row] = await listed({ result: 'failure' })
    expect(row).toMatchObject({ releaseId: id, reason: 'notEnoughSpace', detail: '12 MB' })
    till.mind(thorough)
    expect(await alder.post(`${path}/retry`, { ids: [row?.id] })).toMatchObject({ code: 100000, data: { retried: 1 } })
    await acts.until(id, ({ row: { state } }) => state === 'ended')
    expect(await listed({ ids: row?.id })).toMatchObject([{ result: 'success' }])

    till.mind(failing('downloadFailed'))
    const waiting = await acts.begin(ordered({ options: { retries: 2, failPercent: 100 } }))
    await acts.until(waiting, ({ row: { pendingRetry } }) => pendingRetry === 1)
    const [retrying] = await listed({ result: 'pendingRetry' })
    expect(await alder.post(`${path}/cancel`, { ids: [retrying?.id] })).toMatchObject({ data: { cancelled: 1 } })
    await acts.until(waiting, ({ row: { state } }) => state === 'ended')
    till.mind(thorough)
  })

  it('is nobody else’s, and has a permission of its own', async () => {
    const [row] = await listed()
    const birch = await world.as('birch.admin')
    expect(await listed({}, birch)).toEqual([])
    expect(await birch.post(`${path}/retry`, { ids: [row?.id] })).toMatchObject({ code: 100017 })
    await addDevice(world.db, { sn: 'TILL-2', departmentId: world.a.shop })
    const role = await addRole(world.db, { departmentId: world.a.id, permissions: ['custom:release:add'] })
    await addUser(world.db, { username: 'bringer', departmentId: world.a.id, roleIds: [role] })
    const bringer = await world.as('bringer')
    const order = { targets: [{ sns: ['TILL-2'] }], mode: 'offline' }
    expect(await bringer.post(releaseResource.path, { resourceId: itemId, ...order })).toMatchObject({ code: 100000 })
    expect((await bringer.post('/api/v3/release/create', { kind: 'resource', itemId, ...order })).code).toBe(100013)
  })
})
