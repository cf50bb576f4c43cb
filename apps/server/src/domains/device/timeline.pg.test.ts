import { deviceEvent, deviceTimeline } from '@campanile/contract'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { addDevice } from '../../test/devices.ts'
import { startWorld, type World } from '../../test/world.ts'

let world: World

beforeAll(async () => {
  world = await startWorld()
  const { id } = await addDevice(world.db, { sn: 'LONG-1', departmentId: world.a.shop })
  await sql`insert into device_event (device_id, event_id, time, type, level, text, data, received)
    select ${id}, 'e' || n, now() - n * interval '1 minute', 'report', 'info', 'a report',
      jsonb_build_object('x', repeat('x', 16000)), now() from generate_series(1, 60) n`.execute(world.db)
  await sql`insert into device_event (device_id, event_id, time, type, level, data, received)
    values (${id}, 'short', now(), 'report', 'info', '{"x":1}', now())`.execute(world.db)
})
afterAll(() => world.stop())

it('shows a page of the timeline without what is long, which is asked for one by one', async () => {
  const alder = await world.as('alder.admin')
  const { data } = await alder.get(deviceTimeline.path, { sn: 'LONG-1' })
  expect(JSON.stringify(data).length).toBeLessThan(50_000)
  const events = (data.rows as { kind: string; data: Record<string, unknown> }[]).filter(({ kind }) => kind === 'event')
  expect(events[0]?.data).toEqual({ data: { x: 1 } })
  expect(events[1]?.data).toEqual({ text: 'a report', whole: 'e1' })
  const whole = await alder.get(deviceEvent.path, { sn: 'LONG-1', id: 'e1' })
  expect(whole.data).toMatchObject({ type: 'report', text: 'a report', data: { x: 'x'.repeat(16_000) } })
  expect((await alder.get(deviceEvent.path, { sn: 'LONG-1', id: 'e99' })).status).toBe(404)
  const birch = await world.as('birch.admin')
  expect((await birch.get(deviceEvent.path, { sn: 'LONG-1', id: 'e1' })).status).toBe(404)
})
