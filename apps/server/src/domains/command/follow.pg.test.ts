import { protocol } from '@campanile/contract'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Db } from '../../platform/db.ts'
import { addDevice, addDevices } from '../../test/devices.ts'
import { connectDevice, eventually } from '../../test/mqtt.ts'
import { startWorld, type World } from '../../test/world.ts'
import { expireOverdue } from './command.store.ts'
import type { CommandNews } from './follow.ts'

let world: World
let heard: CommandNews[] = []
let refuses = false
let made = 0

beforeAll(async () => {
  world = await startWorld({ roles: ['api', 'gateway', 'worker'] })
  world.app.doors.command.follow('tried', async (_tx, news) => {
    if (refuses) throw new Error('not now')
    heard.push(...news)
  })
})
afterAll(() => world.stop())
beforeEach(() => {
  heard = []
  refuses = false
})

const give = (ids: readonly number[], more: { minutes?: number; partly?: boolean } = {}) =>
  world.db.transaction().execute((tx) =>
    world.app.doors.command.issue(
      { db: tx as Db, departmentId: world.a.id },
      {
        command: 'message',
        args: { title: '', text: 'Hello' },
        devices: { ids },
        origin: { kind: 'tried', id: 77 },
        ...more,
      },
    ),
  )
const statesOf = async (taskId: number) =>
  (
    await sql<{ id: number; state: string; reason: string | null; minutes: number }>`select id, state, reason,
      round(extract(epoch from expires - create_time) / 60)::int as minutes from command where task_id = ${taskId}
      order by sn`.execute(world.db)
  ).rows
/** A device that is there, and what it was told. */
const stand = async () => {
  const device = await addDevice(world.db, { sn: `F-${++made}`, departmentId: world.a.shop })
  const line = await connectDevice({ port: world.app.doors.device.port, sn: device.sn, password: device.password })
  await line.subscribe(protocol.commandTopic(device.sn))
  const told = () =>
    line.until(() => {
      const packet = line.received.find(({ cmd }) => cmd === 'publish')
      return packet?.cmd === 'publish' && (JSON.parse(String(packet.payload)) as protocol.CommandMessage)
    })
  const say = (reply: object) => line.publish(protocol.upTopic(device.sn, 'reply'), reply)
  return { ...device, line, told, say }
}

describe('a room that has given commands', () => {
  it('hears what its devices are at and how they end, once, and nothing of what comes late', async () => {
    const device = await stand()
    await give([device.id])
    const { id } = await device.told()
    await device.say({ id, state: 'acknowledged' })
    await device.say({ id, state: 'progress', step: 'downloading', progress: 40 })
    await device.say({ id, state: 'progress', step: 'upgrading', progress: 5 })
    await device.say({ id, state: 'done', result: { version: '2' } })
    await device.say({ id, state: 'done' })
    await device.say({ id, state: 'progress', step: 'upgrading' })
    await eventually(
      async () => heard.map(({ what }) => what),
      (words) => words.includes('done'),
    )
    const steps = heard.filter(({ what }) => what === 'underWay').map(({ step }) => step)
    expect(steps.at(-1)).toBe('upgrading')
    expect(heard.filter(({ what }) => what === 'done')).toMatchObject([
      { originId: 77, sn: device.sn, deviceId: device.id, result: { version: '2' } },
    ])
    // Percentages of a later step may begin anew.
    expect(heard.findLast(({ step }) => step === 'upgrading')?.percent).toBe(5)
    device.line.goodbye()
  })

  it('hears it in the transaction in which it happens: what it cannot take is told again', async () => {
    const device = await stand()
    const { id: taskId } = await give([device.id])
    const { id } = await device.told()
    refuses = true
    const saying = device.say({ id, state: 'failed', error: 'downloadFailed' })
    // Sent, or still marked as queued: a device may have the message before the row says so.
    expect(['queued', 'sent']).toContain((await statesOf(taskId))[0]?.state)
    refuses = false
    await saying
    await eventually(
      async () => heard,
      (news) => news.some(({ what }) => what === 'failed'),
    )
    expect(heard.at(-1)).toMatchObject({ what: 'failed', reason: 'downloadFailed' })
    expect((await statesOf(taskId))[0]?.state).toBe('failed')
    device.line.goodbye()
  })

  it('hears of those that were waited for in vain, and of those that are deleted', async () => {
    const [away = 0, leaving = 0] = await addDevices(world.db, ['F-AWAY', 'F-LEAVING'], { departmentId: world.a.shop })
    const { id: taskId } = await give([away, leaving], { minutes: 3 })
    expect((await statesOf(taskId)).map(({ minutes }) => minutes)).toEqual([3, 3])
    const person = await world.as('alder.admin')
    await person.remove('/api/v3/device/basic/delete', { sn: ['F-LEAVING'] })
    expect(heard).toMatchObject([{ what: 'failed', sn: 'F-LEAVING', reason: 'deviceRemoved' }])
    await sql`update command set expires = now() where task_id = ${taskId}`.execute(world.db)
    await eventually(
      async () => heard,
      (news) => news.some(({ what, sn }) => what === 'expired' && sn === 'F-AWAY'),
    )
    expect(await expireOverdue(world.db)).toEqual([])
  })

  it('may give one to a part, and is not stopped where nobody can take it', async () => {
    const [open = 0, keyless = 0] = await addDevices(world.db, ['F-OPEN', 'F-KEYLESS'], { departmentId: world.a.shop })
    await sql`update device_state set capabilities = '{reboot}' where device_id = ${keyless}`.execute(world.db)
    await expect(give([open, keyless])).rejects.toMatchObject({ code: 93011 })
    const partly = await give([open, keyless], { partly: true })
    expect(partly).toMatchObject({ total: 1, refused: 1 })
    expect(await statesOf(partly.id)).toMatchObject([{ state: 'refused', reason: '93011' }, { state: 'queued' }])
    const nobody = await give([keyless], { partly: true })
    expect(nobody).toMatchObject({ total: 0, refused: 1 })
  })

  it('gives up what it no longer waits for, sent or not', async () => {
    const device = await stand()
    const [away = 0] = await addDevices(world.db, ['F-GIVEN-UP'], { departmentId: world.a.shop })
    const { id: taskId } = await give([device.id, away])
    const { id } = await device.told()
    const open = (await statesOf(taskId)).map((row) => row.id)
    await world.db.transaction().execute((tx) => world.app.doors.command.withdraw(tx as Db, open))
    expect(await statesOf(taskId)).toMatchObject([
      { state: 'cancelled', reason: 'givenUp' },
      { state: 'cancelled', reason: null },
    ])
    await device.say({ id, state: 'done' })
    expect(heard).toEqual([])
    device.line.goodbye()
  })
})
