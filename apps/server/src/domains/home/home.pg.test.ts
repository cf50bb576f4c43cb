import { type HomeSummary, homeSummary, loginSingle, type SignedIn } from '@campanile/contract'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addDepartment, addRole, addUser, startTestApp, type TestApp } from '../../test/app.ts'

let test: TestApp
const at = { root: 0, harbour: 0, kowloon: 0, peak: 0 }
const id = { admin: 0, harbour: 0, clerk: 0, peak: 0 }
const token: Record<string, string> = {}

const summary = async (of: string, since = '2000-01-01T00:00:00Z'): Promise<HomeSummary> => {
  const answer = await test.call(homeSummary, { since }, { token: token[of] ?? '' })
  expect(answer.code).toBe(100000)
  return answer.data as unknown as HomeSummary
}
const enter = async (departmentId: number) => {
  const answer = await test.call(loginSingle, { departmentId }, { token: token.admin ?? '' })
  token.entered = (answer.data as unknown as SignedIn).token
  return 'entered'
}
const announce = (title: string, place: number, rest: { pinned?: boolean; level?: string; until?: string } = {}) =>
  sql`insert into announcement (title, text, level, department_id, pinned, valid_until) values
    (${title}, 'text', ${rest.level ?? 'info'}, ${place}, ${rest.pinned ?? false}, ${rest.until ?? null})`.execute(
    test.db,
  )
const addFile = (type: string, state: string, creator: number) =>
  sql`insert into export_file (name, type, state, department_id, creator_id)
    values ('file.xlsx', ${type}, ${state}, ${at.harbour}, ${creator})`.execute(test.db)

beforeAll(async () => {
  test = await startTestApp()
  const { db } = test
  at.root = await addDepartment(db, { name: 'Platform' })
  at.harbour = await addDepartment(db, { name: 'Harbour', parentId: at.root, type: 1 })
  at.kowloon = await addDepartment(db, { name: 'Kowloon', parentId: at.harbour, type: 0 })
  at.peak = await addDepartment(db, { name: 'Peak', parentId: at.root, type: 1 })
  id.admin = await addUser(db, { username: 'admin', departmentId: at.root, type: 0 })
  const lists = ['org:list:list', 'system:user:list', 'system:log:list', 'iot:files:list']
  const heads = await addRole(db, { departmentId: at.harbour, permissions: lists })
  id.harbour = await addUser(db, { username: 'harbour', departmentId: at.harbour, roleIds: [heads] })
  id.peak = await addUser(db, { username: 'peak', departmentId: at.peak, type: 0 })
  const clerks = await addRole(db, { departmentId: at.kowloon, permissions: ['org:list:list'] })
  id.clerk = await addUser(db, { username: 'clerk', departmentId: at.kowloon, roleIds: [clerks] })
  await sql`update sys_user set is_default = true where id = ${id.admin}`.execute(db)
  for (const name of ['admin', 'harbour', 'clerk', 'peak']) token[name] = (await test.signIn(name)).token
  await test.signIn('harbour')
  await expect(test.signIn('clerk', 'wrong')).rejects.toThrow()
  await announce('ended', at.root, { until: '2020-01-01T00:00:00Z' })
  await announce('plain', at.root)
  await announce('important', at.harbour, { level: 'important', until: '2099-01-01T00:00:00Z' })
  await announce('pinned', at.root, { pinned: true })
  await announce('elsewhere', at.peak)
  await addFile('export', 'inProgress', id.harbour)
  await addFile('export', 'complete', id.harbour)
  await addFile('importResult', 'inProgress', id.harbour)
  await addFile('export', 'inProgress', id.admin)
})
afterAll(() => test.stop())

describe('the home summary', () => {
  it('counts what the whole installation holds for its administrator', async () => {
    expect((await summary('admin')).figures).toEqual({
      organisations: 4,
      administrators: 4,
      locked: 0,
      signIns: { people: 4, times: 5 },
      exports: 1,
    })
  })

  it('counts only what lies below an enterprise for its administrator', async () => {
    expect((await summary('harbour')).figures).toEqual({
      organisations: 2,
      administrators: 2,
      locked: 0,
      signIns: { people: 2, times: 3 },
      exports: 1,
    })
  })

  it('narrows every figure to the organisation that was entered', async () => {
    const { figures, organisation } = await summary(await enter(at.peak))
    expect(figures).toMatchObject({ organisations: 1, administrators: 1, signIns: { people: 1, times: 1 } })
    expect(organisation).toMatchObject({ id: at.peak, name: 'Peak', type: 1 })
  })

  it('leaves out figures whose list the caller may not open', async () => {
    expect((await summary('clerk')).figures).toEqual({
      organisations: 1,
      administrators: null,
      locked: null,
      signIns: null,
      exports: null,
    })
  })

  it('counts accounts locked at the moment, but not those a disabled account hides', async () => {
    const lock = (user: number, until: string, disabled: boolean) =>
      sql`update sys_user set locked_until = ${until}, disabled = ${disabled} where id = ${user}`.execute(test.db)
    await lock(id.clerk, '2099-01-01T00:00:00Z', false)
    await lock(id.peak, '2020-01-01T00:00:00Z', false)
    expect((await summary('admin')).figures.locked).toBe(1)
    await lock(id.peak, '2099-01-01T00:00:00Z', true)
    expect((await summary('admin')).figures.locked).toBe(1)
    await sql`update sys_user set locked_until = null, disabled = false`.execute(test.db)
  })

  it('counts sign-ins from the beginning of the reader’s day', async () => {
    expect((await summary('admin', '2099-01-01T00:00:00Z')).figures.signIns).toEqual({ people: 0, times: 0 })
  })

  it('shows announcements of one’s organisation and those above it, pinned and important first, without ended ones', async () => {
    const titles = (await summary('clerk')).announcements.map(({ title }) => title)
    expect(titles).toEqual(['pinned', 'important', 'plain'])
  })

  it('tells the way to the organisation no higher than the caller may see', async () => {
    expect((await summary('clerk')).organisation.path).toEqual([{ id: at.kowloon, name: 'Kowloon' }])
    expect((await summary(await enter(at.kowloon))).organisation.path.map(({ name }) => name)).toEqual([
      'Platform',
      'Harbour',
      'Kowloon',
    ])
  })
})

describe('first steps', () => {
  it('are shown at the top of the installation only', async () => {
    expect((await summary('harbour')).steps).toEqual([])
    expect((await summary(await enter(at.harbour))).steps).toEqual([])
  })

  it('tick themselves when the data says so', async () => {
    expect((await summary('admin')).steps).toEqual([
      { step: 'password', done: false },
      { step: 'organisation', done: true },
      { step: 'administrator', done: true },
      { step: 'agreements', done: false },
    ])
    await sql`update sys_user set password_changed_at = now() where id = ${id.admin}`.execute(test.db)
    await sql`insert into system_config (key, value)
      values ('serviceAgreement', '{}'), ('privacyPolicy', '{}')`.execute(test.db)
    expect((await summary('admin')).steps.filter(({ done }) => !done)).toEqual([])
  })
})
