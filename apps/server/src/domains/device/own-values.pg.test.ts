import { device, deviceDetail, deviceOwnHistory } from '@campanile/contract'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { addDepartment, addRole, addUser, startTestApp, type TestApp } from '../../test/app.ts'
import { addDevice } from '../../test/devices.ts'
import { connectDevice } from '../../test/mqtt.ts'

let server: TestApp
let token: string
const now = Date.now()

beforeAll(async () => {
  server = await startTestApp({ roles: ['api', 'gateway'] })
  const departmentId = await addDepartment(server.db, { name: 'Root' })
  const role = await addRole(server.db, { departmentId, permissions: ['device:list:detail', 'device:list:list'] })
  await addUser(server.db, { username: 'reader', departmentId, roleIds: [role] })
  ;({ token } = await server.signIn('reader'))
  const said: Record<string, object[]> = {
    'OWN-A': [
      { ts: now - 120_000, pressure: 2 },
      { ts: now - 60_000, pressure: 4, hatch: 'open', filterOk: true },
    ],
    'OWN-B': [{ pressure: 1, hatch: 'shut', filterOk: false }],
    'OWN-C': [{ battery: 5 }],
  }
  for (const [sn, reports] of Object.entries(said)) {
    const line = await connectDevice({
      port: server.app.doors.device.port,
      ...(await addDevice(server.db, { sn, departmentId })),
    })
    for (const report of reports) await line.publish(`v1/${sn}/up/state`, report)
    line.vanish()
  }
})
afterAll(() => server.stop())

it('stand on the page of the device, with their times', async () => {
  const { data } = await server.call(deviceDetail, { sn: 'OWN-A' }, { token })
  expect(data?.own).toEqual({
    pressure: { value: 4, ts: new Date(now - 60_000).toISOString() },
    hatch: { value: 'open', ts: new Date(now - 60_000).toISOString() },
    filterOk: { value: true, ts: new Date(now - 60_000).toISOString() },
  })
  const other = await server.call(deviceDetail, { sn: 'OWN-B' }, { token })
  expect(other.data).toMatchObject({ own: { pressure: { value: 1, received: true } } })
})

it('are drawn over time where they are numbers', async () => {
  const range = { startTime: new Date(now - 3_600_000).toISOString(), endTime: new Date(now + 1).toISOString() }
  const ask = (name: string) => server.call(deviceOwnHistory, { sn: 'OWN-A', name, ...range }, { token })
  expect((await ask('pressure')).data).toMatchObject({ step: 60_000, points: [{ avg: 2 }, { min: 4, avg: 4, max: 4 }] })
  expect((await ask('hatch')).data).toMatchObject({ points: [] })
})

it.each([
  ['pressure', ['OWN-A', 'OWN-B']],
  ['pressure > 1', ['OWN-A']],
  ['pressure<=1', ['OWN-B']],
  ['pressure = 4.0', ['OWN-A']],
  ['pressure != 4', ['OWN-B']],
  ['hatch = open', ['OWN-A']],
  ['hatch != open', ['OWN-B']],
  ['filterOk = false', ['OWN-B']],
  ['hatch > 1', []],
  ['none', []],
  ["x'; drop table device", []],
  ['', ['OWN-A', 'OWN-B', 'OWN-C']],
])('find devices in the list by %j', async (own, expected) => {
  const answer = await server.request('GET', `${device.wire.path}/list?${new URLSearchParams({ own })}`, undefined, {
    token,
  })
  expect((answer.data.rows as { sn: string }[]).map(({ sn }) => sn)).toEqual(expected)
})
