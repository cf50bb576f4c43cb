import { type AnswerOf, deviceDetail, deviceTimeline, giveCommand, previewTask, protocol } from '@campanile/contract'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Db } from '../../platform/db.ts'
import { addDepartment, addUser, startTestApp, type TestApp } from '../../test/app.ts'
import { addDevice } from '../../test/devices.ts'
import { connectDevice, eventually } from '../../test/mqtt.ts'

let server: TestApp
let token: string
let departmentId: number
let made = 0

beforeAll(async () => {
  server = await startTestApp({ roles: ['api', 'gateway', 'worker'] })
  departmentId = await addDepartment(server.db, { name: 'Root' })
  await addUser(server.db, { username: 'root', departmentId, type: 0 })
  token = (await server.signIn('root')).token
})
afterAll(() => server.stop())

const rowsOf = async (path: string) => {
  const answer = await server.app.inject({ url: path, headers: { sessionid: token } })
  return answer.json().data.rows as Record<string, unknown>[]
}
const records = (sn: string) => rowsOf(`/api/v3/access/record/list?sn=${sn}`)
const valuesOf = async (sn: string) =>
  (await server.call(deviceDetail, { sn }, { token })).data as unknown as AnswerOf<typeof deviceDetail>

/** A door whose device is there, and known to be. */
const newDoor = async () => {
  const device = await addDevice(server.db, { sn: `DOOR-${++made}`, departmentId, type: 1 })
  const line = await connectDevice({ port: server.app.doors.device.port, sn: device.sn, password: device.password })
  await line.subscribe(protocol.commandTopic(device.sn))
  await eventually(
    () => valuesOf(device.sn),
    ({ row }) => row.iotStatus === 'online',
  )
  const told = async (at: number) => {
    const all = () =>
      line.received.flatMap((packet) =>
        packet.cmd === 'publish' ? [JSON.parse(String(packet.payload)) as protocol.CommandMessage] : [],
      )
    return (await eventually(
      async () => all()[at],
      (message) => message !== undefined,
    )) as protocol.CommandMessage
  }
  const say = (kind: 'state' | 'event' | 'reply', body: object) => line.publish(protocol.upTopic(device.sn, kind), body)
  return { ...device, line, told, say }
}

it('opens, keeps open and closes a door that is there, and keeps a record of who ordered it', async () => {
  const door = await newDoor()
  const orders = [
    ['doorOpen', { seconds: 3 }, 'opened'],
    ['doorKeepOpen', {}, 'keptOpen'],
    ['doorClose', {}, 'closed'],
  ] as const
  for (const [at, [command, args]] of orders.entries()) {
    const given = await server.call(giveCommand, { command, args, sns: [door.sn] }, { token })
    expect(given.code).toBe(100000)
    const message = await door.told(at)
    expect(message).toMatchObject({ name: command, args })
    // Nobody wants a door to open an hour later.
    expect(message.expires - Date.now()).toBeLessThan(61_000)
    await door.say('reply', { id: message.id, state: 'done' })
    await door.say('reply', { id: message.id, state: 'done' })
    await door.say('state', { door: ['open', 'keptOpen', 'closed'][at] })
  }
  const rows = await eventually(
    () => records(door.sn),
    (all) => all.length === 3,
  )
  expect(rows.map(({ what }) => what)).toEqual(orders.map(([, , what]) => what).reverse())
  expect(rows[0]).toMatchObject({ sn: door.sn, means: 'command', departmentName: 'Root', creatorName: 'root' })
  expect((await valuesOf(door.sn)).values).toMatchObject({ door: { value: 'closed' } })
  door.line.goodbye()
})

it('refuses to open a door whose device is away, in the preview and when it is ordered', async () => {
  const { sn } = await addDevice(server.db, { sn: 'DOOR-AWAY', departmentId, type: 1 })
  const order = { command: 'doorOpen' as const, args: {}, sns: [sn] }
  expect((await server.call(giveCommand, order, { token })).code).toBe(30104)
  expect((await server.call(previewTask, order, { token })).data).toMatchObject({
    total: 1,
    refused: [{ sns: [sn], code: 30104 }],
  })
})

it('keeps what a door tells once, and says on the timeline what was wrong with what nobody understood', async () => {
  const door = await newDoor()
  const forced = { id: 'd1', ts: Date.now(), type: 'doorChanged', level: 'major', data: { what: 'forced', more: 1 } }
  for (const body of [forced, forced, { id: 'd2', type: 'doorChanged', data: { what: 'burnt' } }])
    await door.say('event', body)
  const { rows } = await eventually(
    async () =>
      (await server.call(deviceTimeline, { sn: door.sn }, { token })).data as unknown as AnswerOf<
        typeof deviceTimeline
      >,
    (page) => page.rows.filter(({ kind }) => kind === 'event').length === 2,
  )
  expect(await records(door.sn)).toMatchObject([{ what: 'forced', means: null, creatorName: null }])
  const untaken = rows.flatMap(({ data }) => (data.untaken ? [data.untaken] : []))
  expect(untaken).toEqual([
    { reason: 'wrongData', field: 'data.what', fault: 'notOneOf', expected: 'opened, closed, forced, heldOpen' },
  ])
  door.line.goodbye()
})

it('makes no record of what a device tells that has no door, and takes no time from a clock that was never set', async () => {
  const door = await newDoor()
  const till = await newDoor()
  await till.line.publish(protocol.upTopic(till.sn, 'hello'), { capabilities: ['reboot'] })
  const body = { id: 'n1', ts: 0, type: 'doorChanged', data: { what: 'opened' } }
  await till.say('event', body)
  await door.say('event', { ...body, ts: Date.now() - 3_600_000, id: 'n0' })
  await door.say('event', body)
  const rows = await eventually(
    () => records(door.sn),
    (all) => all.length === 2,
  )
  const late = (row: Record<string, unknown> | undefined) => Date.now() - Date.parse(String(row?.time))
  expect(late(rows[0])).toBeLessThan(600_000)
  expect(rows[0]).toMatchObject({ receivedTime: null })
  // It says both, where they differ.
  expect(late(rows[1])).toBeGreaterThan(3_000_000)
  expect(Date.parse(String(rows[1]?.receivedTime)) - Date.parse(String(rows[1]?.time))).toBeGreaterThan(3_000_000)
  const page = await eventually(
    async () =>
      (await server.call(deviceTimeline, { sn: till.sn }, { token })).data as unknown as AnswerOf<
        typeof deviceTimeline
      >,
    ({ rows: all }) => all.some(({ kind }) => kind === 'event'),
  )
  expect(page.rows.filter(({ kind }) => kind === 'event')).toHaveLength(1)
  expect(await records(till.sn)).toEqual([])
  door.line.goodbye()
  till.line.goodbye()
})

it('is told by another room to open, for the row that room names, and reaches nothing outside of its department', async () => {
  const door = await newDoor()
  const elsewhere = await addDepartment(server.db, { name: 'Elsewhere', parentId: departmentId })
  const issue = (from: number) =>
    server.db.transaction().execute((tx) =>
      server.app.doors.command.issue(
        { db: tx as Db, departmentId: from },
        {
          command: 'doorOpen',
          args: { seconds: 5 },
          devices: { ids: [door.id] },
          origin: { kind: 'doorRecord', id: 7 },
          name: 'By plan',
        },
      ),
    )
  await expect(issue(elsewhere)).rejects.toMatchObject({ code: 30103 })
  const { id, total } = await issue(departmentId)
  expect(total).toBe(1)
  const task = (await rowsOf('/api/v3/device/task/list')).find((row) => row.id === id)
  expect(task).toMatchObject({ originKind: 'doorRecord', originId: 7, name: 'By plan', creatorName: null })
  const message = await door.told(0)
  await door.say('reply', { id: message.id, state: 'done' })
  await eventually(
    () => records(door.sn),
    (all) => all.length === 1,
  )
  // A pair is whole, or it is none.
  const half = sql`update device_task set origin_id = null where id = ${id}`.execute(server.db)
  await expect(half).rejects.toMatchObject({ constraint: 'device_task_origin' })
  door.line.goodbye()
})
