import type { HomeSummary } from '@campanile/contract'
import Fastify from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Actor, Grant, Place } from '../../kit/actor.ts'
import { callerOf } from '../../kit/caller.ts'
import type { LongWork } from '../../kit/long-work.ts'
import { createKit } from '../../kit/route.ts'
import { type TestDatabase, testDatabase } from '../../test/pg.ts'
import { mountHome } from './index.ts'

const platform: Place = { id: 1, name: 'Platform', type: 3, path: '1' }
const harbour: Place = { id: 2, name: 'Harbour', type: 1, path: '1.2' }
const kowloon: Place = { id: 3, name: 'Kowloon', type: 0, path: '1.2.3' }
const peak: Place = { id: 4, name: 'Peak', type: 1, path: '1.4' }
const places = [platform, harbour, kowloon, peak]

const everything: Grant = { permissions: 'all', paths: ['1'] }
const actor = (id: number, department: Place, grants: Grant[], operating: Place | null = null): Actor => ({
  id,
  username: `user${id}`,
  realName: `User ${id}`,
  type: 2,
  department,
  grants,
  operating,
  sessionHash: Buffer.alloc(32),
  originHash: Buffer.alloc(32),
  passwordExpired: false,
})
const admin = actor(1, platform, [everything])
const harbourAdmin = actor(2, harbour, [{ permissions: 'all', paths: ['1.2'] }])
const clerk = actor(3, kowloon, [{ permissions: new Set(['org:list:list']), paths: ['1.2.3'] }])

let database: TestDatabase
let caller = admin
const app = Fastify()

const summary = async (who: Actor, since = '2000-01-01T00:00:00Z'): Promise<HomeSummary> => {
  caller = who
  const answer = await app.inject({ url: '/api/v1/home/summary', query: { since } })
  expect(answer.json()).toMatchObject({ code: 100000 })
  return answer.json().data
}
const run = (text: string, values: unknown[] = []) => database.pool.query(text, values)

const addUser = (id: number, department: Place, more = '') =>
  run(
    `insert into sys_user (id, username, username_key, real_name, department_id, type, password_hash${more && ', '}${more.split('=')[0]})
     values ($1, $2, $2, $2, $3, 2, 'x'${more && ', '}${more.split('=')[1] ?? ''})`,
    [id, `user${id}`, department.id],
  )
const signIn = (userId: number, place: Place, result = 'success') =>
  run(
    `insert into op_log (department_id, department_path, user_id, username, route, module, type, result, code)
     values ($1, $2, $3, $4, 'POST /api/v1/login', 'session', 'signIn', $5, 100000)`,
    [place.id, place.path, userId, `user${userId}`, result],
  )
const announce = (title: string, place: Place, rest: { pinned?: boolean; level?: string; until?: string } = {}) =>
  run(
    `insert into announcement (title, text, level, department_id, pinned, valid_until) values ($1, 'text', $2, $3, $4, $5)`,
    [title, rest.level ?? 'info', place.id, rest.pinned ?? false, rest.until ?? null],
  )

beforeAll(async () => {
  database = await testDatabase()
  for (const { id, name, type, path } of places)
    await run('insert into department (id, parent_id, path, name, type) values ($1, $2, $3, $4, $5)', [
      id,
      path.includes('.') ? Number(path.split('.').at(-2)) : null,
      path,
      name,
      type,
    ])
  await addUser(1, platform, 'is_default=true')
  await run('update sys_user set type = 0 where id = 1')
  await addUser(2, harbour)
  await addUser(3, kowloon, `locked_until=now() + interval '10 minutes'`)
  await addUser(4, peak, `locked_until=now() - interval '10 minutes'`)
  for (const [id, place] of [
    [2, harbour],
    [2, harbour],
    [3, kowloon],
    [4, peak],
  ] as const)
    await signIn(id, place)
  await signIn(3, kowloon, 'failed')
  await announce('ended', platform, { until: '2020-01-01T00:00:00Z' })
  await announce('plain', platform)
  await announce('important', harbour, { level: 'important', until: '2099-01-01T00:00:00Z' })
  await announce('pinned', platform, { pinned: true })
  await announce('elsewhere', peak)
  for (const [type, state, creator] of [
    ['export', 'inProgress', 2],
    ['export', 'complete', 2],
    ['importResult', 'inProgress', 2],
    ['export', 'inProgress', 1],
  ] as const)
    await run('insert into export_file (name, type, state, department_id, creator_id) values ($1, $2, $3, 2, $4)', [
      'file.xlsx',
      type,
      state,
      creator,
    ])
  mountHome(createKit({ app, db: database.db, callerOf, authenticate: async () => caller, longWork: {} as LongWork }))
}, 60_000)

afterAll(async () => {
  await app.close()
  await database.drop()
})

describe('the home summary', () => {
  it('counts what the whole installation holds for its administrator', async () => {
    expect((await summary(admin)).figures).toEqual({
      organisations: 4,
      administrators: 4,
      locked: 1,
      signIns: { people: 3, times: 4 },
      exports: 1,
    })
  })

  it('counts only what lies below an enterprise for its administrator', async () => {
    expect((await summary(harbourAdmin)).figures).toEqual({
      organisations: 2,
      administrators: 2,
      locked: 1,
      signIns: { people: 2, times: 3 },
      exports: 1,
    })
  })

  it('narrows every figure to the organisation that was entered', async () => {
    const { figures, organisation } = await summary(actor(1, platform, [everything], peak))
    expect(figures).toMatchObject({ organisations: 1, administrators: 1, locked: 0, signIns: { people: 1, times: 1 } })
    expect(organisation).toEqual({
      id: 4,
      name: 'Peak',
      type: 1,
      path: [{ id: 4, name: 'Peak' }],
    })
  })

  it('leaves out figures whose list the caller may not open', async () => {
    expect((await summary(clerk)).figures).toEqual({
      organisations: 1,
      administrators: null,
      locked: null,
      signIns: null,
      exports: null,
    })
  })

  it('counts sign-ins from the beginning of the reader’s day', async () => {
    expect((await summary(admin, '2099-01-01T00:00:00Z')).figures.signIns).toEqual({ people: 0, times: 0 })
  })

  it('shows announcements of one’s organisation and those above it, pinned and important first, without ended ones', async () => {
    const titles = (await summary(clerk)).announcements.map(({ title }) => title)
    expect(titles).toEqual(['pinned', 'important', 'plain'])
  })

  it('tells the way to the organisation no higher than the caller may see', async () => {
    const inner = actor(3, kowloon, [{ permissions: 'all', paths: ['1.2'] }])
    expect((await summary(inner)).organisation.path).toEqual([
      { id: 2, name: 'Harbour' },
      { id: 3, name: 'Kowloon' },
    ])
  })
})

describe('first steps', () => {
  it('are shown at the top of the installation only', async () => {
    expect((await summary(harbourAdmin)).steps).toEqual([])
    expect((await summary(actor(1, platform, [everything], harbour))).steps).toEqual([])
  })

  it('tick themselves when the data says so', async () => {
    expect((await summary(admin)).steps).toEqual([
      { step: 'password', done: false },
      { step: 'organisation', done: true },
      { step: 'administrator', done: true },
      { step: 'agreements', done: false },
    ])
    await run(`update sys_user set password_changed_at = now() where id = 1`)
    await run(`insert into system_config (key, value) values ('serviceAgreement', '{}'), ('privacyPolicy', '{}')`)
    expect((await summary(admin)).steps.filter(({ done }) => !done)).toEqual([])
  })

  it('name only what the caller may do', async () => {
    const auditor = actor(4, platform, [{ permissions: new Set(['org:list:add']), paths: ['1'] }])
    expect((await summary(auditor)).steps).toEqual([{ step: 'organisation', done: true }])
  })
})
