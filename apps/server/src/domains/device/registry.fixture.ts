import { sql } from 'kysely'
import { expect } from 'vitest'
import { startWorld } from '../../test/world.ts'

export const basic = '/api/v3/device/basic'
export const group = '/api/v3/device/group'

/** Two enterprises whose administrators add and list devices. */
export const startRegistry = async () => {
  const world = await startWorld()
  const alder = await world.as('alder.admin')
  const birch = await world.as('birch.admin')
  const draft = (sn: string, more: object = {}) => ({
    sn,
    deviceType: 3,
    batchNumber: 'B1',
    departmentId: world.a.shop,
    ...more,
  })
  const add = async (sn: string, more: object = {}, who = alder) => {
    const answer = await who.post(`${basic}/create`, draft(sn, more))
    expect([sn, answer.code]).toEqual([sn, 100000])
    return answer.data.id as number
  }
  const sns = async (query: object = {}, who = alder) => {
    const { data, code } = await who.get(`${basic}/list`, { pageSize: 100, ...query })
    expect(code).toBe(100000)
    return (data.rows as { sn: string }[]).map(({ sn }) => sn)
  }
  const clear = async () => {
    await sql`delete from device_task`.execute(world.db)
    await sql`delete from device`.execute(world.db)
    await sql`delete from device_group`.execute(world.db)
  }
  return { world, alder, birch, draft, add, sns, clear }
}
