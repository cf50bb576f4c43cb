import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Person, World } from '../test/world.ts'
import { startInstallation } from '../test/world.ts'
import {
  type DeclaredCall,
  declaredCalls,
  fill,
  type Ids,
  type Kind,
  nameOf,
  requestOf,
  serialsOf,
} from './declared-calls.ts'
import { furnish } from './furnish.ts'

let world: Omit<World, 'a' | 'b'>
let harbour: Person
let alder: Ids
let birch: Ids

interface Line {
  id: number
  place: string | null
  route: string
  description: string | null
}
/** Lines that the SI's administrator has left since then. */
const linesAfter = async (id: number): Promise<Line[]> =>
  (
    await sql<Line>`select l.id, o.name as place, l.route, l.description from op_log_now() l
      left join department d on d.id = l.department_id
      left join department o on o.path @> d.path and o.name like '% works'
      where l.id > ${id} and l.username = 'harbour.admin' order by l.id`.execute(world.db)
  ).rows
const lastLine = async () =>
  (await sql<{ id: number }>`select coalesce(max(id), 0) as id from op_log_now()`.execute(world.db)).rows[0]
    ?.id as number

beforeAll(async () => {
  world = await startInstallation()
  alder = await furnish(world, await world.found('alder'))
  birch = await furnish(world, await world.found('birch'))
  harbour = await world.as('harbour.admin')
})
afterAll(() => world.stop())

const message = { command: 'message', args: { title: '', text: 'x' } }
/** What no sample of a walker fits. */
const peculiar: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  '/api/v3/device/setting/saveItems': { items: { volume: 3 } },
  '/api/v3/device/basic/command': message,
  '/api/v3/device/configuration/create': { volumeMusic: 40 },
  '/api/v3/device/batch/run': { command: 'lock', args: {} },
  '/api/v3/device/broker/task/create': { name: 'x', topic: 'a/b', payload: '{}' },
  '/api/v3/device/group/saveFilter': { name: 'Saved', deviceType: 3, filter: {} },
}

/** What a call cannot do without, where it goes, and the row itself. */
const inputOf = (call: DeclaredCall) => {
  const given = (asked: string, kind: Kind, itself: boolean) => {
    const needed = !call.shape[asked]?.safeParse(undefined).success
    const spare = itself && call.method === 'DELETE' ? alder[`spare ${kind}`] : undefined
    if (asked === 'except') return undefined
    return needed || itself || asked === 'departmentId' ? (spare ?? alder[kind]) : undefined
  }
  const password = 'password' in call.shape ? { password: 'x' } : {}
  return fill(call, given, { ...serialsOf(call, 'alder'), ...password, ...peculiar[call.path] })
}
const isAbout = (call: DeclaredCall) => call.slots.length > 0 || Object.keys(serialsOf(call, 'alder')).length > 0
/** What only reads goes first: the others change what it would find. */
const turn = ({ method, path }: DeclaredCall) =>
  path.endsWith('/export') ? 0 : ['GET', 'POST', 'PUT', 'DELETE'].indexOf(method)
const walked = declaredCalls.filter((call) => isAbout(call) && !call.upload).sort((a, b) => turn(a) - turn(b))

/** Routes whose calls succeed here, so that they prove something; more of them come with every room. */
const known = [
  'DELETE /api/v1/announcement/delete',
  'DELETE /api/v1/oauth/depts/delete',
  'DELETE /api/v1/oauth/users/delete',
  'DELETE /api/v3/device/FSK/delete',
  'DELETE /api/v3/device/basic/delete',
  'DELETE /api/v3/device/group/delete',
  'DELETE /api/v3/device/setting/delete',
  'DELETE /api/v3/device/testModel/delete',
  'GET /api/v1/gateway/op-log/detail',
  'GET /api/v1/gateway/op-log/list',
  'GET /api/v1/oauth/depts/detail',
  'GET /api/v1/oauth/users/list',
  'GET /api/v3/device/FSK/list',
  'GET /api/v3/device/traffic/export',
  'POST /api/v1/announcement/create',
  'POST /api/v1/announcement/export',
  'POST /api/v1/gateway/op-log/export',
  'POST /api/v1/oauth/depts/create',
  'POST /api/v1/oauth/depts/export',
  'POST /api/v1/oauth/roles/create',
  'POST /api/v1/oauth/users/disable',
  'POST /api/v1/oauth/users/enable',
  'POST /api/v1/oauth/users/export',
  'POST /api/v1/oauth/users/requireTwoFactor',
  'POST /api/v1/oauth/users/resetTwoFactor',
  'POST /api/v1/oauth/users/unlock',
  'POST /api/v3/access/record/export',
  'POST /api/v3/device/FSK/create',
  'POST /api/v3/device/FSK/export',
  'POST /api/v3/device/FSK/labels',
  'POST /api/v3/device/basic/export',
  'POST /api/v3/device/broker/task/fail/export',
  'POST /api/v3/device/broker/task/retry',
  'POST /api/v3/device/broker/task/success/export',
  'POST /api/v3/device/group/addDevices',
  'POST /api/v3/device/group/create',
  'POST /api/v3/device/group/export',
  'POST /api/v3/device/group/removeDevices',
  'POST /api/v3/device/iot/getLog',
  'POST /api/v3/device/queryLog/export',
  'POST /api/v3/device/robot/export',
  'POST /api/v3/device/selfService/export',
  'POST /api/v3/device/setting/create',
  'POST /api/v3/device/setting/history/export',
  'POST /api/v3/device/setting/push',
  'POST /api/v3/device/setting/rollBack',
  'POST /api/v3/device/setting/saveItems',
  'POST /api/v3/device/task/create',
  'POST /api/v3/device/task/device/export',
  'POST /api/v3/device/task/export',
  'POST /api/v3/device/task/retry',
  'POST /api/v3/device/testModel/create',
  'POST /api/v3/device/videoPhone/export',
  'POST /api/v3/license/health/authorise',
  'POST /api/v3/license/health/disable',
  'POST /api/v3/license/health/enable',
  'POST /api/v3/license/health/export',
  'POST /api/v3/license/health/renew',
  'POST /api/v3/license/im/authorise',
  'POST /api/v3/license/im/export',
  'POST /api/v3/license/im/renew',
  'POST /api/v3/license/im/revoke',
  'POST /api/v3/license/iot/authorise',
  'POST /api/v3/license/iot/export',
  'POST /api/v3/license/iot/renew',
  'POST /api/v3/license/iot/revoke',
  'PUT /api/v1/announcement/update',
  'PUT /api/v1/oauth/depts/update',
  'PUT /api/v3/device/basic/update',
  'PUT /api/v3/device/group/update',
  'PUT /api/v3/device/robot/update',
  'PUT /api/v3/device/selfService/update',
  'PUT /api/v3/device/setting/update',
  'PUT /api/v3/device/testModel/update',
  'PUT /api/v3/device/traffic/limit',
  'PUT /api/v3/device/videoPhone/update',
  'POST /api/v3/device/basic/command',
  'POST /api/v3/device/batch/run',
  'POST /api/v3/device/broker/task/create',
  'POST /api/v3/device/group/saveFilter',
]

describe('somebody who acts from above without entering', () => {
  it('leaves a line in each of two enterprises, which names its own rows only', async () => {
    const before = await lastLine()
    const ids = [alder.iotLicence, birch.iotLicence]
    expect((await harbour.post('/api/v3/license/iot/renew', { ids, months: 1 })).code).toBe(100000)
    expect(await linesAfter(before)).toMatchObject([
      { place: 'alder works', description: 'alder' },
      { place: 'birch works', description: 'birch' },
    ])
  })

  it('sees people of both in one list, and each enterprise reads how many of its own were seen', async () => {
    const before = await lastLine()
    await harbour.get('/api/v1/oauth/users/list', { pageSize: 199 })
    const lines = await linesAfter(before)
    expect(lines.map(({ place }) => place).sort()).toEqual(['alder works', 'birch works', null].sort())
    expect(lines.find(({ place }) => place === 'alder works')?.description).toBe('4')
  })

  it('gives tasks that lie with their devices, one for each enterprise, and the owner ends them', async () => {
    const sns = ['alder', 'birch']
    const { code, data } = await harbour.post('/api/v3/device/task/create', {
      command: 'message',
      args: { title: '', text: 'x' },
      sns,
    })
    expect(code).toBe(100000)
    const tasks = data.tasks as { id: number; total: number }[]
    expect(tasks.map(({ total }) => total)).toEqual([1, 1])
    const owner = await world.as('alder.admin')
    const seen = await Promise.all(tasks.map(({ id }) => owner.get('/api/v3/device/task/detail', { id })))
    expect(seen.map((each) => each.code === 100000)).toEqual([true, false])
    expect((await owner.post('/api/v3/device/task/cancel', { id: tasks[0]?.id })).code).toBe(100000)
  })

  it('writes in its own log what it does at home', async () => {
    const before = await lastLine()
    await harbour.post('/api/v1/announcement/create', { title: 'At home', text: 'x', departmentId: world.si })
    expect(await linesAfter(before)).toMatchObject([{ place: null, description: 'At home' }])
  })

  /** Every call finds the commands of devices as they were furnished: what one sends keeps no device busy for the next. */
  const keepCommands = async () => {
    const { rows } = await sql<{ id: number; state: string }>`select id, state from command`.execute(world.db)
    const [ids, states] = [rows.map(({ id }) => id), rows.map(({ state }) => state)]
    return async () => {
      await sql`update command set state = 'done' where id <> all(${ids}) and state <> 'done'`.execute(world.db)
      await sql`update command c set state = k.state from unnest(${ids}::bigint[], ${states}::text[]) k(id, state)
        where c.id = k.id and c.state <> k.state`.execute(world.db)
    }
  }

  it('leaves every line where the rows are that it was about, on every route there is', async () => {
    const asFurnished = await keepCommands()
    const elsewhere: string[] = []
    const proven = new Set<string>()
    const own = world.app.routesDeclared.filter(({ rules }) => rules.scope === 'self')
    const ofOneself = new Set(own.map(({ method, url }) => `${method} ${url}`))
    for (const call of walked) {
      if (ofOneself.has(nameOf(call))) continue
      // Ten exports a minute are let through.
      world.clock.advance(60)
      await asFurnished()
      const before = await lastLine()
      const answer = await world.app.inject({
        ...requestOf(call, inputOf(call)),
        headers: { sessionid: harbour.token },
      })
      const { code } = String(answer.headers['content-type']).includes('json')
        ? answer.json<{ code: number }>()
        : { code: 100000 }
      const lines = (await linesAfter(before)).filter(({ route }) => route === nameOf(call))
      if (code !== 100000 || lines.length === 0) continue
      // Sums over everybody somebody reaches stand at no place of their own.
      if (call.path.endsWith('/statistics/export')) continue
      proven.add(nameOf(call))
      // A list or a sheet may show rows of others beside; whatever else is about alder's row alone.
      const isShown = /\/(list|export)$/.test(call.path)
      const isThere =
        lines.some(({ place }) => place === 'alder works') &&
        (isShown || lines.every(({ place }) => place !== 'birch works'))
      if (!isThere) elsewhere.push(`${nameOf(call)}: ${lines.map(({ place }) => place).join()}`)
    }
    expect(elsewhere).toEqual([])
    expect(known.filter((name) => !proven.has(name))).toEqual([])
  })
})
