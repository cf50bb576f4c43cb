import { sql } from 'kysely'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { basic, group, startRegistry } from './registry.fixture.ts'

const registry = await startRegistry()
const { world, alder, birch, add, sns } = registry

afterAll(() => world.stop())
beforeEach(() => registry.clear())

describe('groups', () => {
  const make = async (name: string, more: object = {}) => {
    const answer = await alder.post(`${group}/create`, { name, deviceType: 3, departmentId: world.a.id, ...more })
    expect(answer.code).toBe(100000)
    return answer.data.id as number
  }

  it('by hand take one type, and a device into one of them only', async () => {
    const [robots, others] = [await make('Robots'), await make('Others')]
    await add('HP-1')
    await add('HP-2', { deviceType: 4 })
    const put = (groupId: number, ...members: string[]) => alder.post(`${group}/addDevices`, { groupId, sns: members })
    expect(await put(robots, 'HP-1', 'HP-2')).toMatchObject({ code: 204008, data: { sn: 'HP-2' } })
    expect(await sns({ groupId: robots })).toEqual([])
    expect((await put(robots, 'HP-1')).data).toMatchObject({ added: 1 })
    expect(await put(others, 'HP-1')).toMatchObject({ code: 204009, data: { sn: 'HP-1', group: 'Robots' } })
    expect(await sns({ groupId: robots })).toEqual(['HP-1'])
    const taken = await alder.post(`${group}/removeDevices`, { groupId: robots, sns: ['HP-1'] })
    expect(taken.data).toMatchObject({ removed: 1 })
    expect((await put(others, 'HP-1')).code).toBe(100000)
    expect(await put(999_999, 'HP-1')).toMatchObject({ status: 404, code: 204018 })
  })

  it('are sent and answered by either of their two names', async () => {
    const answer = await alder.post(`${group}/create`, { groupName: 'Robots', deviceType: 3, departmentId: world.a.id })
    expect(answer.code).toBe(100000)
    const { id } = answer.data
    const { data } = await alder.get(`${group}/list`, { groupName: 'Rob' })
    expect(data.rows).toMatchObject([{ name: 'Robots', groupName: 'Robots' }])
    expect((await alder.get(`${group}/detail`, { id })).data.row).toMatchObject({ name: 'Robots', groupName: 'Robots' })
    expect(await alder.put(`${group}/update`, { id, groupName: 'Others' })).toMatchObject({
      code: 100009,
      data: { field: 'groupName' },
    })
  })

  it('by hand go only when nobody is left in them, by filter at any time', async () => {
    const [robots, all] = [await make('Robots'), await make('All', { kind: 'dynamic' })]
    await add('HP-1')
    await alder.post(`${group}/addDevices`, { groupId: robots, sns: ['HP-1'] })
    const drop = (...ids: number[]) => alder.remove(`${group}/delete`, { ids })
    expect(await drop(robots, all)).toMatchObject({ status: 409, code: 204020 })
    expect(await sns({ groupId: robots })).toEqual(['HP-1'])
    await alder.post(`${group}/removeDevices`, { groupId: robots, sns: ['HP-1'] })
    expect((await drop(robots, all)).data).toEqual({ removed: 2 })
  })

  it('by filter are always true to the moment', async () => {
    const id = await make('New ones', { kind: 'dynamic' })
    const set = (filter: object) => alder.post(`${group}/setFilter`, { groupId: id, filter })
    expect((await set({ model: 'M1', iotStatus: ['offline'] })).code).toBe(100000)
    await add('HP-1', { model: 'M1' })
    await add('HP-2', { model: 'M2' })
    expect(await sns({ groupId: id })).toEqual([])
    await sql`update device set activation_status = 2`.execute(world.db)
    expect(await sns({ groupId: id })).toEqual(['HP-1'])
    await sql`update device set model = 'M1'`.execute(world.db)
    expect(await sns({ groupId: id })).toEqual(['HP-1', 'HP-2'])
    expect(await sns({ groupId: id, sn: '2' })).toEqual(['HP-2'])
    // Asked for together with one that is kept by hand.
    const robots = await make('Robots')
    await add('HP-3', { model: 'M3' })
    await alder.post(`${group}/addDevices`, { groupId: robots, sns: ['HP-3'] })
    expect(await sns({ groupId: [id, robots] })).toEqual(['HP-1', 'HP-2', 'HP-3'])
    await alder.post(`${group}/removeDevices`, { groupId: robots, sns: ['HP-3'] })
    await alder.remove(`${group}/delete`, { ids: [robots] })
    const { data } = await alder.get(`${group}/list`)
    expect(data.rows).toMatchObject([{ name: 'New ones', deviceCount: 2 }])
    const detail = await alder.get(`${group}/detail`, { id })
    expect(detail.data).toMatchObject({
      row: { name: 'New ones', deviceCount: 2 },
      filter: { model: 'M1', iotStatus: ['offline'] },
    })
    expect((await birch.get(`${group}/detail`, { id })).status).toBe(404)
    expect(await sns({ groupId: id }, birch)).toEqual([])
    expect((await set({ nonsense: 1 })).code).toBe(100009)
    expect((await set({ groupId: id })).code).toBe(100002)
    expect((await alder.post(`${group}/addDevices`, { groupId: id, sns: ['HP-1'] })).status).toBe(400)
  })
})

describe('group members', () => {
  const make = async (more: object = {}) =>
    (await alder.post(`${group}/create`, { name: 'G', deviceType: 3, departmentId: world.a.id, ...more })).data
      .id as number
  const members = async (query: object, who = alder) =>
    ((await who.get('/api/v3/device/groupDevice/list', query as Record<string, unknown>)).data.rows as object[]) ?? []

  it('are listed with when they came, and not at all without a group', async () => {
    const id = await make()
    await add('HP-1', { model: 'M1' })
    await add('HP-2')
    await alder.post(`${group}/addDevices`, { groupId: id, sns: ['HP-1'] })
    expect(await members({ groupId: id })).toMatchObject([
      { sn: 'HP-1', model: 'M1', iotStatus: 'offline', joinTime: expect.any(String) },
    ])
    expect(await members({})).toEqual([])
    expect(await members({ groupId: id }, birch)).toEqual([])
    await alder.post(`${basic}/transferBatch`, { sns: ['HP-1'], departmentId: world.a.office })
    expect(await members({ groupId: id })).toEqual([])
  })

  it('of a filter saved as a group follow it; a filter that is none saves nothing', async () => {
    await add('HP-1', { model: 'M1' })
    await add('HP-2', { model: 'M2' })
    const save = (filter: object, name = 'Ones') =>
      alder.post(`${group}/saveFilter`, { name, departmentId: world.a.id, deviceType: 3, filter })
    const { data } = await save({ model: 'M1' })
    expect(data).toMatchObject({ deviceCount: 1 })
    expect(await members({ groupId: data.id })).toMatchObject([{ sn: 'HP-1', joinTime: null }])
    await sql`update device set model = 'M1'`.execute(world.db)
    expect(await members({ groupId: data.id })).toHaveLength(2)
    expect((await save({ model: 'M1' })).code).toBe(204019)
    expect((await save({ nonsense: 1 }, 'Other')).code).toBe(100009)
    expect((await alder.get(`${group}/list`)).data.total).toBe(1)
  })
})
