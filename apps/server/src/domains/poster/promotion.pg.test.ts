import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { addDevices } from '../../test/devices.ts'
import { type Person, startWorld, type World } from '../../test/world.ts'
import { expireShown } from './shown.ts'

let world: World
let person: Person
const path = '/api/v3/device/promotion'

beforeAll(async () => {
  world = await startWorld({ roles: ['api'] })
  person = await world.as('alder.admin')
})
afterAll(() => world.stop())

const draft = (more: object = {}) => ({
  title: 'Sale',
  text: 'Everything must go',
  validUntil: '2999-01-01T00:00:00Z',
  departmentId: world.a.id,
  ...more,
})
const add = async (more: object = {}) => Number((await person.post(`${path}/create`, draft(more))).data.id)
const rowOf = async (id: number) =>
  ((await person.get(`${path}/list`, { pageSize: 100 })).data.rows as { id: number }[]).find((row) => row.id === id)
const release = (itemId: number, sn: string, more: object = {}) =>
  person.post('/api/v3/release/create', {
    kind: 'promotion',
    itemId,
    targets: [{ sns: [sn] }],
    mode: 'offline',
    ...more,
  })

it('begins as a draft, in the colour and at the speed that were meant', async () => {
  const id = await add({ colour: '#ff8800', speed: 'fast' })
  expect(await rowOf(id)).toMatchObject({
    status: 'draft',
    range: 'all',
    colour: '#ff8800',
    speed: 'fast',
    releaseTime: null,
  })
  expect((await person.post(`${path}/create`, draft({ text: 'x'.repeat(257) }))).code).toBe(100002)
  expect((await person.post(`${path}/create`, draft({ range: 'category' }))).code).toBe(100001)
})

it('is not valid before it begins, and not released when that is over', async () => {
  const backwards = { validFrom: '2999-02-01T00:00:00Z', validUntil: '2999-01-01T00:00:00Z' }
  expect((await person.post(`${path}/create`, draft(backwards))).code).toBe(301003)
  const id = await add()
  expect((await person.put(`${path}/update`, { id, validFrom: '2999-02-01T00:00:00Z' })).code).toBe(301003)
  await sql`update promotion set valid_until = now() - interval '1 minute' where id = ${id}`.execute(world.db)
  await addDevices(world.db, ['P-OVER'], { departmentId: world.a.shop })
  expect((await release(id, 'P-OVER')).code).toBe(301003)
})

it('is left alone while devices show it, and shown no longer when its validity has ended', async () => {
  await addDevices(world.db, ['P-1'], { departmentId: world.a.shop })
  const id = await add()
  expect((await release(id, 'P-1', { action: 'hide' })).code).toBe(301008)
  expect((await release(id, 'P-1')).code).toBe(100000)
  expect(await rowOf(id)).toMatchObject({ status: 'released' })
  expect((await person.put(`${path}/update`, { id, text: 'Another' })).code).toBe(301007)
  expect((await person.remove(`${path}/delete`, { ids: [id] })).code).toBe(301007)
  await sql`update promotion set valid_until = now() where id = ${id}`.execute(world.db)
  await expireShown(world.db, 'promotion')
  expect(await rowOf(id)).toMatchObject({ status: 'expired' })
  expect((await person.put(`${path}/update`, { id, validUntil: '2999-01-01T00:00:00Z' })).code).toBe(100000)
  expect((await person.remove(`${path}/delete`, { ids: [id] })).data).toMatchObject({ removed: 1 })
})
