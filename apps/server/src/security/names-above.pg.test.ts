import { downloadFile, organisationType } from '@campanile/contract'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { enrol, plant } from '../domains/identity/index.ts'
import { parseWorkbook } from '../platform/sheet/parse.ts'
import { addRole, quickHash, testPassword } from '../test/app.ts'
import { addDevice } from '../test/devices.ts'
import { type Person, startInstallation, type World } from '../test/world.ts'
import { type DeclaredCall, declaredCalls, fill, type Kind, nameOf, requestOf } from './declared-calls.ts'

/** Every department above the caller's reach, and what is kept there, is called by this word; nothing else is. */
const above = 'zenith'

let world: Omit<World, 'a' | 'b'>
let person: Person
let deep: number
let ids: Readonly<Record<string, number>>

const one = async (query: ReturnType<typeof sql<{ id: number }>>) =>
  (await query.execute(world.db)).rows[0]?.id as number

/** One of each thing that may be kept above and concern what is below. */
const keepAbove = async (departmentId: number, level: number) => {
  const called = `${above} ${level}`
  await sql`insert into announcement (title, text, department_id) values ('Hear', 'this', ${departmentId})`.execute(
    world.db,
  )
  const group = await one(sql`insert into device_group (name, device_type, department_id)
    values (${called}, 4, ${departmentId}) returning id`)
  const setting = await one(sql`insert into device_setting (name, department_id, version)
    values (${called}, ${departmentId}, 1) returning id`)
  const task =
    await one(sql`insert into device_task (command, name, department_id, origin_kind, origin_id, origin_version)
    values ('configure', ${called}, ${departmentId}, 'deviceSetting', ${setting}, 1) returning id`)
  const role = await addRole(world.db, { name: called, departmentId, permissions: ['org:list:list'], on: [deep] })
  await sql`insert into user_role select id, ${role} from sys_user where username = 'depth.colleague'`.execute(world.db)
  return { group, setting, task }
}

beforeAll(async () => {
  world = await startInstallation()
  const { db } = world
  await sql`update department set name = ${above} || id`.execute(db)
  const { enterprise, school, section, grade, administrativeClass } = organisationType
  const works = await plant(db, { name: `${above} works`, type: enterprise, parentId: world.si })
  const academy = await plant(db, { name: `${above} school`, type: school, parentId: works })
  const part = await plant(db, { name: `${above} section`, type: section, parentId: academy })
  deep = await plant(db, { name: 'depth', type: grade, parentId: part })
  const room = await plant(db, { name: 'depth room', type: administrativeClass, parentId: deep })
  const everything = (
    await sql<{ perms: string }>`select distinct perms from menu where perms is not null and not platform`.execute(db)
  ).rows.map(({ perms }) => perms)
  const role = await addRole(db, { name: 'depth role', departmentId: deep, permissions: everything })
  const passwordHash = await quickHash(testPassword)
  const appoint = (name: string, departmentId: number) =>
    enrol(db, { username: name, realName: name, departmentId, type: 2, passwordHash, presets: [] })
  const user = await appoint('depth.operator', deep)
  await appoint('depth.colleague', room)
  await sql`insert into user_role values (${user}, ${role})`.execute(db)
  const { id: device } = await addDevice(db, { sn: 'D-1', departmentId: room, type: 4 })
  const levels = [world.root, world.si, works, academy, part]
  for (const [level, departmentId] of levels.entries()) {
    const { group, setting, task } = await keepAbove(departmentId, level)
    await sql`update device set group_id = ${group}, group_time = now() where id = ${device}`.execute(db)
    const command = await one(sql`insert into command (task_id, device_id, sn, department_id, command, state, expires)
      values (${task}, ${device}, 'D-1', ${room}, 'configure', 'failed', now()) returning id`)
    await sql`insert into setting_change (setting_id, command_id, department_id, item)
      values (${setting}, ${command}, ${room}, 'volume')`.execute(db)
  }
  for (const kind of ['iot', 'im', 'health'])
    await sql`insert into licence (kind, device_id, start_date, expiry)
      values (${kind}, ${device}, current_date, current_date + 10)`.execute(db)
  await sql`insert into activation_code (sn, activation_code, department_id) values ('D-1', 'CODE-1', ${room})`.execute(
    db,
  )
  const line = await one(sql`select max(id) as id from op_log_now()`)
  ids = { organisation: deep, user, role, device, videoPhone: device, operationLog: line }
  person = await world.as('depth.operator')
})
afterAll(() => world.stop())

const inputOf = (call: DeclaredCall, also: Readonly<Record<string, unknown>>) => {
  const given = (asked: string, kind: Kind) =>
    call.shape[asked]?.safeParse(undefined).success ? undefined : (ids[kind] ?? 1)
  const sn = call.shape.sn?.safeParse('D-1').success && !call.shape.sn.safeParse(undefined).success ? { sn: 'D-1' } : {}
  return fill(call, given, { ...also, ...sn })
}
const send = (call: DeclaredCall, also: Readonly<Record<string, unknown>> = {}) =>
  world.app.inject({ ...requestOf(call, inputOf(call, also)), headers: { sessionid: person.token } })

describe('somebody whose reach begins deep in the tree', () => {
  it('sees what stands there', async () => {
    const { data } = await person.get('/api/v3/device/videoPhone/list')
    expect(data).toMatchObject({ total: 1, rows: [{ sn: 'D-1', departmentName: 'depth room', schoolName: null }] })
    const tree = await person.get('/api/v1/oauth/depts')
    expect(tree.data.rows).toMatchObject([{ name: 'depth', parentId: null, path: [{ name: 'depth' }] }])
    const home = await person.get('/api/v1/home/summary', { since: new Date().toISOString() })
    expect(home.data.announcements).toHaveLength(5)
  })

  const reading = declaredCalls.filter((call) => call.method === 'GET')
  it.each(reading.map((call) => [nameOf(call), call] as const))('%s names nothing above it', async (_, call) => {
    const asked = 'pageSize' in call.shape ? { pageSize: '199' } : {}
    expect((await send(call, asked)).body).not.toContain(above)
    for (const field of ['keyword', 'ids', 'ancestorId', 'parentId'].filter((name) => name in call.shape)) {
      const value = [above, [String(world.si)], String(world.si)].find(
        (each) => call.shape[field]?.safeParse(each).success,
      )
      const { body } = await send(call, { ...asked, [field]: value })
      expect([field, body.replaceAll(`"${above}"`, '')]).not.toEqual([field, expect.stringContaining(above)])
    }
  })

  it('is told nothing of it at sign-in, in its profile, nor on entering a department', async () => {
    expect(JSON.stringify(await world.signIn('depth.operator'))).not.toContain(above)
    const entered = await person.post('/api/v1/oauth/login/single', { departmentId: deep })
    expect(entered.code).toBe(100000)
    expect(JSON.stringify(entered)).not.toContain(above)
  })

  const exporting = declaredCalls.filter(({ path, resource }) => resource && path.endsWith('/export'))
  it.each(exporting.map((call) => [nameOf(call), call] as const))('%s writes nothing above it', async (_, call) => {
    // Ten a minute are let through.
    world.clock.advance(60)
    const columns = call.resource ? call.resource.list.columns : []
    const answer = (await send(call, { flag: 0, columns })).json() as { code: number; data: { fileId: number } }
    // What belongs to the whole installation is not for somebody who reaches a part of it.
    if (call.resource?.scope === 'platform') return void expect(answer.code).toBe(100013)
    expect(answer.code).toBe(100000)
    const { fileId } = answer.data
    const state = sql<{ state: string }>`select state from export_file where id = ${fileId}`
    await vi.waitFor(async () => expect((await state.execute(world.db)).rows[0]?.state).toBe('complete'), 60_000)
    const response = await world.app.inject({
      url: `${downloadFile.path}?id=${fileId}`,
      headers: { sessionid: person.token },
    })
    expect(JSON.stringify(await parseWorkbook(response.rawPayload))).not.toContain(above)
  })
})
