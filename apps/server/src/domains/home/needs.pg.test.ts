import {
  commandNeeds,
  deviceNeeds,
  fileNeeds,
  type HomeNeed,
  identityNeeds,
  licenceNeeds,
  type NeedSpec,
} from '@campanile/contract'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addDevices } from '../../test/devices.ts'
import { startWorld, type World } from '../../test/world.ts'

const every: readonly NeedSpec[] = [deviceNeeds, commandNeeds, licenceNeeds, fileNeeds, identityNeeds].flatMap((each) =>
  Object.values<NeedSpec>(each),
)
let world: World
const needsOf = async (username: string): Promise<HomeNeed[]> =>
  (await (await world.as(username)).get('/api/v1/home/needs')).data.rows as HomeNeed[]
const told = (needs: readonly HomeNeed[], kind: string) => needs.filter((each) => each.kind === kind)
const state = (ids: readonly number[], set: ReturnType<typeof sql>) =>
  sql`update device_state set ${set} where device_id = any(${ids})`.execute(world.db)

beforeAll(async () => {
  world = await startWorld()
  const { db, a, b } = world
  const bound = { activation: 2, password: 'x' }
  const shop = await addDevices(db, ['S-1', 'S-2', 'S-3', 'S-4'], { departmentId: a.shop, ...bound })
  const office = await addDevices(db, ['O-1', 'O-2'], { departmentId: a.office, ...bound })
  const above = await addDevices(db, ['E-1'], { departmentId: a.id, ...bound })
  const foreign = await addDevices(db, ['F-1'], { departmentId: b.shop, ...bound })
  const gone = sql`iot_status = 'offline', disconnected_at = now() - interval '2 days', disconnect_reason = 'keepalive'`
  await state([...shop.slice(0, 2), ...office.slice(0, 1), ...above, ...foreign], gone)
  await state(shop.slice(2, 3), sql`iot_status = 'offline', disconnected_at = now() - interval '23 hours'`)
  const says = (name: string, value: string) => sql`values = jsonb_build_object(${name}::text, jsonb_build_object(
    'v', ${value}::text, 't', 1700000000000))`
  await state(shop.slice(3), says('printer', 'out of paper'))
  await state(office.slice(1), sql`iot_status = 'online', battery = 4, charging = 'notCharging'`)
  await sql`insert into licence (kind, device_id, start_date, expiry) values
    ('iot', ${shop[0]}, current_date - 300, current_date + 5), ('iot', ${shop[1]}, current_date - 300, current_date - 5)`.execute(
    db,
  )
  await sql`insert into device_task (command, department_id, number, end_time)
    values ('reboot', ${a.shop}, 1, now())`.execute(db)
  await sql`insert into command (task_id, device_id, sn, command, department_id, state, reason, expires, end_time)
    select (select max(id) from device_task), t.id, t.sn, 'reboot', t.department_id, s.state, s.reason, now(), now()
    from device t join (values ('S-1', 'failed', 'givenUp'), ('S-2', 'expired', null), ('S-3', 'done', null))
      s(sn, state, reason) on s.sn = t.sn`.execute(db)
  await sql`insert into export_file (name, type, state, department_id, creator_id, private)
    values ('devices.xlsx', 'export', 'abnormal', ${a.id}, ${a.admin}, true)`.execute(db)
  await sql`update sys_user set locked_until = now() + interval '1 hour' where id = ${a.operator}`.execute(db)
})
afterAll(() => world.stop())

describe('what needs a person', () => {
  it('is told with the most urgent on top, each kind that the data knows', async () => {
    const needs = await needsOf('alder.admin')
    const levels = needs.map(({ level }) => ['critical', 'major', 'minor'].indexOf(level))
    expect(levels).toEqual(levels.toSorted())
    expect([...new Set(needs.map(({ kind }) => kind))].toSorted()).toEqual(
      ['away', 'battery', 'exportFailed', 'failed', 'iotExpired', 'iotExpiring', 'locked', 'paper'].toSorted(),
    )
  })

  it('counts exactly the rows that its link lists', async () => {
    const person = await world.as('alder.admin')
    for (const need of await needsOf('alder.admin')) {
      const spec = every.find(({ texts, kind }) => texts === need.texts && kind === need.kind) as NeedSpec
      const list = await person.get(`${spec.rows.wire.path}/list`, { ...need.filter, page: 1, pageSize: 10 })
      expect({ kind: need.kind, filter: need.filter, total: list.data.total }).toEqual({
        kind: need.kind,
        filter: need.filter,
        total: need.count,
      })
    }
  })

  it('tells devices that are offline for a day once, with the places they stand at', async () => {
    const away = told(await needsOf('alder.admin'), 'away')
    expect(away.map(({ count, words, cause }) => ({ count, words, cause }))).toEqual([
      { count: 4, words: { sites: expect.stringMatching(/^alder shop \(2\) · /), more: 0 }, cause: 'causeAll' },
    ])
    const [birch] = told(await needsOf('birch.admin'), 'away')
    expect(birch).toMatchObject({ words: { reason: 'keepalive' }, cause: 'causeLost' })
    expect(away.every(({ since }) => Date.now() - Date.parse(since ?? '') > 86_400_000)).toBe(true)
  })

  it('leads a failed task to the devices that failed, and offers what somebody may do', async () => {
    const [failed] = told(await needsOf('alder.admin'), 'failed')
    expect(failed).toMatchObject({ count: 2, words: { total: 3, reason: 'givenUp' }, command: null })
    expect(failed?.to).toMatch(/^\/deviceTask\/detail\/\d+\?state=failed&state=expired$/)
    expect(failed?.action?.to).toBe(failed?.to.split('?')[0])
    expect(told(await needsOf('alder.admin'), 'paper')[0]?.command).toBe('message')
    expect(told(await needsOf('alder.auditor'), 'paper')[0]?.command ?? null).toBe(null)
  })

  it('keeps to one’s own enterprise, and to lists one may open', async () => {
    expect((await needsOf('birch.admin')).map(({ kind, count }) => [kind, count])).toEqual([['away', 1]])
    const safety = (await needsOf('alder.safety')).map(({ kind }) => kind)
    expect(safety).not.toContain('away')
  })

  it('is not told of a module that the organisation does not use', async () => {
    const set = (own: boolean) =>
      sql`update department set own_modules = ${own}, unused_modules = '{licences}' where id = ${world.a.id}`.execute(
        world.db,
      )
    const kinds = async () => (await needsOf('alder.admin')).map(({ kind }) => kind)
    const before = await kinds()
    await set(true)
    expect(await kinds()).toEqual(before.filter((kind) => !kind.startsWith('iot')))
    await set(false)
    expect(await kinds()).toEqual(before)
  })
})

it('what is wrong with a device stands on its own page, by the same definition', async () => {
  const person = await world.as('alder.admin')
  const problemsOf = async (sn: string) =>
    ((await person.get('/api/v3/device/basic/detail', { sn })).data.problems as { problem: string }[]).map(
      ({ problem }) => problem,
    )
  expect([await problemsOf('S-1'), await problemsOf('S-3'), await problemsOf('S-4')]).toEqual([['away'], [], ['paper']])
})
