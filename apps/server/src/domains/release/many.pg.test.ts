import { devicesMax } from '@campanile/contract'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { addDevices } from '../../test/devices.ts'
import { eventually } from '../../test/mqtt.ts'
import { startWorld, type World } from '../../test/world.ts'
import { addText, createActs } from './release.fixture.ts'

let world: World
beforeAll(async () => {
  world = await startWorld({ roles: ['api', 'worker'] })
})
afterAll(() => world.stop())

it('takes ten thousand devices at once and tells them in batches, each by one command', async () => {
  const sns = Array.from({ length: devicesMax }, (_, at) => `MANY-${at}`)
  await addDevices(world.db, sns, { departmentId: world.a.shop, online: true })
  const person = await world.as('alder.admin')
  const acts = createActs(person)
  const text = await addText(person, world.a.id)
  const id = await acts.begin({
    kind: 'promotion',
    itemId: text,
    targets: [{ departmentId: world.a.shop }],
    mode: 'realTime',
    options: { waves: [{ percent: 100 }] },
  })
  expect((await acts.detail(id)).row.total).toBe(devicesMax)
  const { row } = await eventually(
    () => acts.detail(id),
    (now) => now.row.told === devicesMax,
    120_000,
  )
  expect(row).toMatchObject({ published: devicesMax, waiting: 0, state: 'running' })
  const { rows } = await sql`select count(*)::int as commands, count(distinct c.device_id)::int as devices,
      count(distinct k.id)::int as batches
    from command c join device_task k on k.id = c.task_id where k.origin_id = ${id}`.execute(world.db)
  expect(rows).toEqual([{ commands: devicesMax, devices: devicesMax, batches: 10 }])
  expect((await acts.act('stop', id)).data).toEqual({ cancelled: devicesMax })
  const over = await acts.until(id, (now) => now.row.state === 'ended')
  expect(over.row).toMatchObject({ progress: 'stopped', cancelled: devicesMax })
  const open = await sql`select from command where state in ('queued', 'sent', 'acknowledged')`.execute(world.db)
  expect(open.rows).toHaveLength(0)
}, 240_000)
