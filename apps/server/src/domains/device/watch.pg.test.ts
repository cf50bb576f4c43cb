import { liveClosing, liveTicket } from '@campanile/contract'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { addDepartment, addRole, addUser, startTestApp, type TestApp } from '../../test/app.ts'
import { addDevice } from '../../test/devices.ts'

let server: TestApp
let host: string
let mine: number
let other: number
let people = 0
const opened: WebSocket[] = []

beforeAll(async () => {
  server = await startTestApp()
  host = new URL(await server.app.listen({ port: 0, host: '127.0.0.1' })).host
  const root = await addDepartment(server.db, { name: 'Root' })
  mine = await addDepartment(server.db, { name: 'Mine', parentId: root })
  other = await addDepartment(server.db, { name: 'Other', parentId: root })
})
afterAll(() => server.stop())
beforeEach(async () => {
  for (const [sn, departmentId] of [
    ['MINE-1', mine],
    ['MINE-2', mine],
    ['OTHER-1', other],
  ] as const)
    await addDevice(server.db, { sn, departmentId })
})
afterEach(async () => {
  for (const socket of opened.splice(0)) socket.terminate()
  await sql`delete from device`.execute(server.db)
})

type Message = {
  type: string
  sn: string
  iotStatus?: string
  values?: Record<string, { value: unknown }>
  own?: Record<string, { value: unknown }>
}

/** Somebody of a department with a live connection, or several. */
const enter = async (departmentId: number, permissions = ['device:list:list']) => {
  people += 1
  const username = `watcher${people}`
  const roleId = await addRole(server.db, { departmentId, permissions })
  await addUser(server.db, { username, departmentId, roleIds: [roleId] })
  const { token } = await server.signIn(username)
  const connect = async () => {
    const { data } = await server.call(liveTicket, {}, { token })
    const socket = new WebSocket(`ws://${host}/api/live?ticket=${data.ticket}`, {
      headers: { origin: `http://${host}` },
    })
    opened.push(socket)
    const messages: Message[] = []
    socket.on('message', (text) => messages.push(JSON.parse(String(text))))
    const closed = new Promise<number>((resolve) => socket.on('close', resolve))
    await new Promise((resolve) => socket.once('open', resolve))
    return {
      socket,
      messages,
      closed,
      watch: (...sns: string[]) => socket.send(JSON.stringify({ type: 'watch', sns })),
      open: (sn: string) => socket.send(JSON.stringify({ type: 'watch', sns: [sn], open: [sn] })),
      heard: (sn: string) => messages.filter((message) => message.sn === sn),
    }
  }
  return { roleId, connect, ...(await connect()) }
}

const change = (sn: string, set: ReturnType<typeof sql>) =>
  sql`update device_state s set ${set} from device t where t.id = s.device_id and t.sn = ${sn}`.execute(server.db)
const measure = (sn: string, value: number) =>
  change(sn, sql`values = ${JSON.stringify({ battery: { v: value, t: value } })}::jsonb`)
const within = { timeout: 30_000 }

describe('values that stand in no list', () => {
  const put = (values: object) => change('MINE-1', sql`values = ${JSON.stringify(values)}::jsonb`)
  const said = { battery: { v: 50, t: 1 }, latitude: { v: 30.5, t: 1 }, printer: { v: 'ok', t: 1 } }

  it('are told on its open page, to whoever may open it, and to nobody else', async () => {
    await put(said)
    const lister = await enter(mine)
    const reader = await enter(mine, ['device:list:list', 'device:list:detail', 'device:selfService:list'])
    lister.open('MINE-1')
    reader.watch('MINE-1')
    await expect.poll(() => [lister, reader].map((each) => each.heard('MINE-1').length), within).toEqual([1, 1])
    const names = (each: typeof lister) => each.heard('MINE-1').map(({ values = {} }) => Object.keys(values).sort())
    expect([names(lister), names(reader)]).toEqual([[['battery']], [['battery', 'printer']]])
    reader.open('MINE-1')
    await expect.poll(() => names(reader)[1], within).toEqual(['battery', 'latitude', 'printer'])
    await put({ ...said, latitude: { v: 31, t: 2 } })
    await expect.poll(() => names(reader)[2], within).toEqual(['latitude'])
    expect(names(lister)).toHaveLength(1)
  })
})

describe('values by a device’s own names', () => {
  const set = (door: string) =>
    change('MINE-1', sql`own = ${JSON.stringify({ door: { v: door, t: 5 }, level: { v: 3, t: 5, r: 1 } })}::jsonb`)
  const all = ['device:list:list', 'device:list:detail']

  it('are told to whoever has the device’s page open: all at first, then what changes', async () => {
    const person = await enter(mine, all)
    await set('shut')
    person.open('MINE-1')
    await expect
      .poll(() => person.heard('MINE-1')[0]?.own, within)
      .toEqual({ door: { value: 'shut', ts: 5 }, level: { value: 3, ts: 5, received: true } })
    await set('open')
    // What was told at first may come once more, where it was looked at in between.
    await expect.poll(() => person.heard('MINE-1')[1]?.own, within).toMatchObject({ door: { value: 'open', ts: 5 } })
    await set('ajar')
    await expect.poll(() => person.heard('MINE-1')[2]?.own, within).toEqual({ door: { value: 'ajar', ts: 5 } })
  })

  it('are not told to somebody who sees only the list, by right or by choice', async () => {
    const listing = await enter(mine, all)
    const narrow = await enter(mine)
    const page = await enter(mine, all)
    await set('shut')
    listing.watch('MINE-1')
    narrow.open('MINE-1')
    page.open('MINE-1')
    await expect.poll(() => page.heard('MINE-1').length, within).toBe(1)
    await set('open')
    await measure('MINE-1', 7)
    for (const { heard } of [listing, narrow, page])
      await expect.poll(() => heard('MINE-1').at(-1)?.values?.battery?.value, within).toBe(7)
    expect(JSON.stringify([...listing.messages, ...narrow.messages])).not.toContain('"own"')
  })
})

describe('a browser that watches devices', () => {
  it('is told what changes about those on its screen that its user may see, and only that', async () => {
    const { socket, messages, watch } = await enter(mine)
    socket.send('no message')
    watch('MINE-1', 'OTHER-1', 'NONE')
    await expect
      .poll(() => messages, within)
      .toMatchObject([
        { type: 'device', sn: 'MINE-1', iotStatus: 'offline', facts: { lastConnected: null, locked: false } },
      ])
    await change('MINE-1', sql`iot_status = 'online', values = '{"battery":{"v":5,"t":1}}'`)
    await expect
      .poll(() => messages.at(-1), within)
      .toMatchObject({ sn: 'MINE-1', iotStatus: 'online', values: { battery: { value: 5, ts: 1 } } })
    await change('MINE-1', sql`values = '{"battery":{"v":5,"t":1},"robotState":{"v":"idle","t":2}}'`)
    await expect.poll(() => messages.at(-1)?.values, within).toEqual({ robotState: { value: 'idle', ts: 2 } })
    await change('MINE-1', sql`firmware_version = '1.2', locked = true`)
    await expect
      .poll(() => messages.at(-1), within)
      .toEqual({ type: 'device', sn: 'MINE-1', facts: { firmwareVersion: '1.2', locked: true } })
    await change('OTHER-1', sql`iot_status = 'online'`)
    expect(messages.every(({ sn }) => sn === 'MINE-1')).toBe(true)
    // What is no longer on the screen is not told; the next wish shows that there was time to.
    watch('MINE-2')
    await expect.poll(() => messages.at(-1)?.sn, within).toBe('MINE-2')
    await change('MINE-1', sql`iot_status = 'offline'`)
    await measure('MINE-2', 7)
    await expect.poll(() => messages.at(-1)?.values, within).toEqual({ battery: { value: 7, ts: 7 } })
    const first = messages.findIndex(({ sn }) => sn === 'MINE-2')
    expect(messages.slice(first).filter(({ sn }) => sn === 'MINE-1')).toEqual([])
  })

  it('hears nothing of a device from the moment it is another enterprise’s, and the other one does', async () => {
    const former = await enter(mine)
    const owner = await enter(other)
    former.watch('MINE-1', 'MINE-2')
    owner.watch('MINE-1')
    await expect.poll(() => former.messages.length, within).toBe(2)
    await measure('MINE-1', 1)
    await expect.poll(() => former.heard('MINE-1').at(-1)?.values, within).toEqual({ battery: { value: 1, ts: 1 } })
    expect(owner.messages).toEqual([])

    await sql`update device set department_id = ${other} where sn = 'MINE-1'`.execute(server.db)
    const before = former.heard('MINE-1').length
    await measure('MINE-1', 2)
    // The next look but one tells of the other device: whatever was to be told of the first has been told by then.
    await expect
      .poll(() => owner.heard('MINE-1').length + former.heard('MINE-1').length, within)
      .toBeGreaterThan(before)
    await measure('MINE-2', 3)
    await expect.poll(() => former.heard('MINE-2').at(-1)?.values, within).toEqual({ battery: { value: 3, ts: 3 } })
    expect(former.heard('MINE-1')).toHaveLength(before)
    expect(owner.heard('MINE-1')).toMatchObject([{ iotStatus: 'offline', values: { battery: { value: 2 } } }])
  })

  it('hears nothing more when the right to see devices is taken away', async () => {
    const watcher = await enter(mine)
    const witness = await enter(mine)
    for (const each of [watcher, witness]) each.watch('MINE-1')
    await expect.poll(() => [watcher.messages.length, witness.messages.length], within).toEqual([1, 1])
    await sql`delete from role_menu where role_id = ${watcher.roleId}`.execute(server.db)
    await measure('MINE-1', 4)
    await expect.poll(() => witness.messages.at(-1)?.values, within).toEqual({ battery: { value: 4, ts: 4 } })
    expect(watcher.heard('MINE-1')).toHaveLength(1)
    expect(await watcher.closed).toBe(liveClosing.changed)
  })

  it('is looked for once at a time: of many wishes in a row the newest counts', async () => {
    const { messages, watch, heard } = await enter(mine)
    for (let time = 0; time < 40; time += 1) watch('MINE-1')
    watch('MINE-2')
    await expect.poll(() => heard('MINE-2').length, within).toBe(1)
    expect(heard('MINE-1').length).toBeLessThan(40)
    const before = messages.length
    await measure('MINE-1', 5)
    await measure('MINE-2', 6)
    await expect.poll(() => heard('MINE-2').at(-1)?.values, within).toEqual({ battery: { value: 6, ts: 6 } })
    expect(messages.slice(before).filter(({ sn }) => sn === 'MINE-1')).toEqual([])
  })

  it('and floods is heard a bounded number of times, sent away until it has calmed down, and delays nobody', async () => {
    const flooder = await enter(mine)
    const neighbour = await enter(other)
    for (let time = 0; time < 5_000; time += 1) flooder.watch('MINE-1')
    neighbour.watch('OTHER-1')
    await expect.poll(() => neighbour.heard('OTHER-1').length, within).toBe(1)
    expect(await flooder.closed).toBe(liveClosing.tooMany)
    expect(flooder.messages.length).toBeLessThanOrEqual(100)
    // Another connection of the same account does not start anew.
    const again = await flooder.connect()
    for (let time = 0; time < 50; time += 1) again.watch('MINE-1')
    expect(await again.closed).toBe(liveClosing.tooMany)
    await measure('OTHER-1', 8)
    await expect.poll(() => neighbour.heard('OTHER-1').at(-1)?.values, within).toEqual({ battery: { value: 8, ts: 8 } })
  })

  it('is cut off when one message is larger than any wish', async () => {
    const { socket, closed } = await enter(mine)
    socket.send(JSON.stringify({ type: 'watch', sns: [], more: 'x'.repeat(20_000) }))
    expect(await closed).toBe(1009)
  })
})
