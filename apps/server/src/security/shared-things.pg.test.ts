import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Answer, addRole } from '../test/app.ts'
import { addDevice } from '../test/devices.ts'
import { type Person, startWorld, type World } from '../test/world.ts'

let world: World
/** Of the SI above both enterprises. */
let harbour: Person
let alder: Person
let birch: Person
const group = '/api/v3/device/group'
const setting = '/api/v3/device/setting'
const task = '/api/v3/device/task'
const belongsToAnother = 204014

beforeAll(async () => {
  world = await startWorld()
  harbour = await world.as('harbour.admin')
  alder = await world.as('alder.admin')
  birch = await world.as('birch.admin')
})
afterAll(() => world.stop())
beforeEach(async () => {
  for (const table of ['device_task', 'device', 'device_group', 'device_setting'])
    await sql`delete from ${sql.table(table)}`.execute(world.db)
  await addDevice(world.db, { sn: 'alder-1', departmentId: world.a.shop, type: 3, activation: 1 })
  await addDevice(world.db, { sn: 'birch-1', departmentId: world.b.shop, type: 3, activation: 1 })
  await sql`update device_state set capabilities = '{configure,reboot}'`.execute(world.db)
})

const made = async (answer: Promise<Answer>): Promise<number> => {
  const { code, data } = await answer
  expect(code).toBe(100000)
  return data.id as number
}
const groupOf = (departmentId: number, name = 'birch group') =>
  made(harbour.post(`${group}/create`, { name, departmentId, deviceType: 3, kind: 'manual' }))
const settingOf = async (departmentId: number, name = 'birch setting') => {
  const id = await made(harbour.post(`${setting}/create`, { name, departmentId }))
  await harbour.post(`${setting}/saveItems`, { id, items: { volume: 3 } })
  return id
}
const groupNameOf = async (who: Person) => {
  const { data } = await who.get('/api/v3/device/basic/list')
  return (data.rows as { groupName: string | null }[]).map(({ groupName }) => groupName)
}

describe('a group of one enterprise', () => {
  it('takes no device of another, not even from somebody who reaches both', async () => {
    const id = await groupOf(world.b.id)
    expect(await harbour.post(`${group}/addDevices`, { groupId: id, sns: ['birch-1', 'alder-1'] })).toMatchObject({
      code: belongsToAnother,
      data: { sn: 'alder-1' },
    })
    expect(await groupNameOf(alder)).toEqual([null])
  })

  it('of what stands above both takes either, and shows neither the other, nor its own name', async () => {
    const id = await groupOf(world.si, 'harbour group')
    const sns = ['alder-1', 'birch-1']
    expect((await harbour.post(`${group}/addDevices`, { groupId: id, sns })).code).toBe(100000)
    expect(await groupNameOf(harbour)).toEqual(['harbour group', 'harbour group'])
    expect(await groupNameOf(alder)).toEqual([null])
  })

  it('counts only what its reader may see', async () => {
    const id = await groupOf(world.a.id, 'alder group')
    // As it was possible to keep them.
    await sql`update device set group_id = ${id}, group_time = now()`.execute(world.db)
    const { data } = await alder.get(`${group}/list`)
    expect(data.rows).toMatchObject([{ deviceCount: 1 }])
    const detail = await alder.get(`${group}/detail`, { id })
    expect(detail.data.row).toMatchObject({ deviceCount: 1 })
    expect(await groupNameOf(birch)).toEqual([null])
  })

  it('that goes to another enterprise leaves its devices behind', async () => {
    const id = await groupOf(world.b.id)
    await harbour.post(`${group}/addDevices`, { groupId: id, sns: ['birch-1'] })
    expect((await harbour.put(`${group}/update`, { id, departmentId: world.b.shop })).code).toBe(100000)
    expect(await groupNameOf(birch)).toEqual(['birch group'])
    expect((await harbour.put(`${group}/update`, { id, departmentId: world.a.id })).code).toBe(100000)
    expect(await groupNameOf(harbour)).toEqual([null, null])
  })

  it('loses the devices of a department that goes to another enterprise', async () => {
    const id = await groupOf(world.b.id)
    await harbour.post(`${group}/addDevices`, { groupId: id, sns: ['birch-1'] })
    const move = (parentId: number) => harbour.post('/api/v1/oauth/depts/move', { id: world.b.shop, parentId })
    expect((await move(world.b.office)).code).toBe(100000)
    expect(await groupNameOf(birch)).toEqual(['birch group'])
    expect((await move(world.a.id)).code).toBe(100000)
    expect(await groupNameOf(harbour)).toEqual([null, null])
    expect((await move(world.b.id)).code).toBe(100000)
  })
})

describe('a setting of one enterprise', () => {
  it('is pushed to its own devices only', async () => {
    const id = await settingOf(world.b.id)
    expect(await harbour.post(`${setting}/push`, { id, sns: ['birch-1', 'alder-1'] })).toMatchObject({
      code: belongsToAnother,
      data: { sn: 'alder-1' },
    })
    expect((await harbour.post(`${setting}/push`, { id, sns: ['birch-1'] })).code).toBe(100000)
  })

  it('shows the results of devices its reader may see, and counts no others', async () => {
    const id = await settingOf(world.si, 'harbour setting')
    expect((await harbour.post(`${setting}/push`, { id, sns: ['birch-1', 'alder-1'] })).code).toBe(100000)
    await sql`update command set state = 'done'`.execute(world.db)
    // It has gone to one of the two since.
    expect((await harbour.put(`${setting}/update`, { id, departmentId: world.a.id })).code).toBe(100000)
    const { data } = await alder.get(`${setting}/detail`, { id })
    expect((data.devices as { sn: string }[]).map(({ sn }) => sn)).toEqual(['alder-1'])
    const list = await alder.get(`${setting}/list`)
    expect(list.data.param).toMatchObject([{ deviceCount: 1 }])
  })
})

describe('a task', () => {
  it('stands in the organisation its giver works in, and is about devices of that one only', async () => {
    const both = await addRole(world.db, {
      departmentId: world.a.id,
      permissions: ['deviceTask:list:add', 'device:list:restart', 'device:list:list'],
      on: [world.a.id, world.b.id],
    })
    await sql`delete from user_role where user_id = ${world.a.operator}`.execute(world.db)
    await sql`insert into user_role values (${world.a.operator}, ${both})`.execute(world.db)
    const operator = await world.as('alder.operator')
    const create = (sns: string[]) => operator.post(`${task}/create`, { command: 'reboot', args: {}, sns })
    const refused = await create(['alder-1', 'birch-1'])
    expect(refused).toMatchObject({ code: belongsToAnother, data: { sn: 'birch-1' } })
    expect((await create(['alder-1'])).code).toBe(100000)
    const entered = await operator.post('/api/v1/oauth/login/single', { departmentId: world.b.id })
    expect(entered.code).toBe(100000)
  })
})
