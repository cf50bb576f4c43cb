import { readFileSync } from 'node:fs'
import { Readable } from 'node:stream'
import {
  addFavourite,
  clearNotifications,
  endOwnSession,
  type Favourite,
  favourites,
  notifications,
  type OwnSession,
  ownSessions,
  profile,
  readNotifications,
  removeFavourite,
  removeView,
  runtime,
  type SavedView,
  savedViews,
  saveView,
  updateProfile,
  user,
  type ViewOfList,
} from '@campanile/contract'
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addDepartment, addRole, addUser, startTestApp, type TestApp } from '../../test/app.ts'

let test: TestApp
const migration = new URL('../../../migrations/202611152330_pictures_are_files.sql', import.meta.url)
const tokens = { anna: '', bert: '', carl: '', dora: '' }
const ids = { anna: 0, bert: 0 }

beforeAll(async () => {
  test = await startTestApp()
  const { db } = test
  const root = await addDepartment(db, { name: 'Platform' })
  const here = await addDepartment(db, { name: 'Here', parentId: root, type: 1 })
  const there = await addDepartment(db, { name: 'There', parentId: root, type: 1 })
  const roleIds = [
    await addRole(db, {
      name: 'Desk',
      departmentId: here,
      permissions: ['org:list:list', 'org:list:edit', 'system:user:list'],
    }),
  ]
  const farRole = [await addRole(db, { departmentId: there, permissions: ['org:list:list'] })]
  ids.anna = await addUser(db, { username: 'anna', departmentId: here, roleIds })
  ids.bert = await addUser(db, { username: 'bert', departmentId: here, roleIds })
  await addUser(db, { username: 'carl', departmentId: there, roleIds: farRole })
  const permissions = ['org:list:list', 'org:list:edit', 'system:user:list', 'system:user:edit']
  const overPeople = [await addRole(db, { departmentId: here, permissions })]
  await addUser(db, { username: 'dora', departmentId: here, roleIds: overPeople })
  for (const name of ['anna', 'bert', 'carl', 'dora'] as const) tokens[name] = (await test.signIn(name)).token
})
afterAll(() => test.stop())

const as = (name: keyof typeof tokens) => ({ token: tokens[name] })

describe('the profile', () => {
  it('shows the person and what they may not change', async () => {
    const { data } = await test.call(profile, {}, as('anna'))
    expect(data).toMatchObject({
      username: 'anna',
      departmentName: 'Here',
      roleNames: ['Desk'],
      twoFactorAllowed: true,
      recoveryCodesLeft: 0,
      lastLoginIp: '127.0.0.1',
      photo: null,
    })
  })

  it('changes name and sex, and leaves before and after in the log', async () => {
    const input = { realName: 'Anna B', sex: 2 as const }
    expect((await test.call(updateProfile, input, as('anna'))).data).toMatchObject(input)
    const { rows } = await sql`select before, after, username from op_log_now() order by id desc limit 1`.execute(
      test.db,
    )
    expect(rows).toEqual([{ before: { realName: 'anna', sex: 0 }, after: input, username: 'anna' }])
  })

  it('takes nothing else: not the type, the department, the roles, the whitelist or the validity', async () => {
    const before =
      await sql`select type, department_id, whitelist_ip, valid_end from sys_user where id = ${ids.anna}`.execute(
        test.db,
      )
    for (const extra of [
      { type: 0 },
      { departmentId: 1 },
      { roleIds: [1] },
      { whitelistIp: [] },
      { validEnd: null },
      { username: 'x' },
      { mobile: '13800138000' },
    ])
      expect(
        (await test.request('PUT', '/api/v1/oauth/profile', { realName: 'A', sex: 0, ...extra }, as('anna'))).status,
      ).toBe(400)
    const after =
      await sql`select type, department_id, whitelist_ip, valid_end from sys_user where id = ${ids.anna}`.execute(
        test.db,
      )
    expect(after.rows).toEqual(before.rows)
  })
})

describe('the photo', () => {
  const png = Buffer.concat([
    Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'),
    Buffer.from([0, 0, 0, 16, 0, 0, 0, 16]),
    Buffer.alloc(64),
  ])
  const jpg = Buffer.concat([
    Buffer.from('ffd8ffe000104a46494600010100000100010000', 'hex'),
    Buffer.from('ffc0001108001000100301220002110103110100', 'hex'),
    Buffer.alloc(64),
  ])
  const flood = Buffer.concat([png.subarray(0, 16), Buffer.from([0, 0, 255, 255, 0, 0, 255, 255]), Buffer.alloc(64)])
  const send = async (bytes: Buffer, name = 'me.png', type = 'image/png') => {
    const boundary = 'xxxx'
    const head = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\nContent-Type: ${type}\r\n\r\n`
    const payload = Buffer.concat([Buffer.from(head), bytes, Buffer.from(`\r\n--${boundary}--\r\n`)])
    const response = await test.app.inject({
      method: 'POST',
      url: '/api/v1/oauth/profile/photo',
      payload,
      headers: { sessionid: tokens.anna, 'content-type': `multipart/form-data; boundary=${boundary}` },
    })
    return { status: response.statusCode, ...response.json<{ code: number; data: { photo: string } }>() }
  }
  const read = (url: string, name?: keyof typeof tokens) =>
    test.app.inject({
      url,
      headers: name ? { sessionid: tokens[name] } : {},
    })

  it('is told by its bytes, kept under a name of ours and read back as it was', async () => {
    const { code, data } = await send(jpg, '../../etc/passwd.svg', 'image/svg+xml')
    expect(code).toBe(100000)
    expect(data.photo).toMatch(/^\/api\/v1\/oauth\/profile\/photo\/\d+$/)
    const picture = await read(data.photo, 'anna')
    expect(picture.rawPayload).toEqual(jpg)
    expect(picture.headers).toMatchObject({ 'content-type': 'image/jpeg', 'x-content-type-options': 'nosniff' })
    expect((await test.call(profile, {}, as('anna'))).data.photo).toBe(data.photo)
  })

  it('is shown to colleagues a role reaches and to nobody else', async () => {
    const { data } = await send(png)
    expect((await read(data.photo, 'bert')).statusCode).toBe(200)
    expect((await read(data.photo, 'carl')).statusCode).toBe(404)
    expect((await read(data.photo)).statusCode).toBe(401)
    expect((await read('/api/v1/oauth/profile/photo/..%2f..%2fsecrets', 'anna')).statusCode).toBe(400)
    // Its bytes are gone from the disk: that is no outage, and waiting does not bring it back.
    const { rows } = await sql<{
      key: string
    }>`select stored_as as key from stored_file order by id desc limit 1`.execute(test.db)
    await test.app.services.files.remove(rows[0]?.key ?? '')
    expect((await read(data.photo, 'anna')).statusCode).toBe(404)
  })

  it('replaces the one before it', async () => {
    const first = await send(png)
    const second = await send(jpg)
    expect((await read(first.data.photo, 'anna')).statusCode).toBe(404)
    expect((await read(second.data.photo, 'anna')).statusCode).toBe(200)
  })

  it('is the picture administrators see and may replace, and goes when nobody holds it', async () => {
    await send(png)
    const { data } = await test.request('GET', `${user.wire.path}/list?username=anna`, undefined, as('dora'))
    const [row] = data.sysUser as { photo: unknown }[]
    expect(row?.photo).toMatchObject({ size: png.length, type: 'image/png' })
    const shown = await read(`${user.wire.path}/file/photo?id=${ids.anna}`, 'dora')
    expect(shown.rawPayload).toEqual(png)
    await test.request('PUT', `${user.wire.path}/update`, { id: ids.anna, photo: null }, as('dora'))
    expect((await test.call(profile, {}, as('anna'))).data.photo).toBeNull()
    await sql`update stored_file set create_time = now() - interval '2 days'`.execute(test.db)
    await test.app.services.kit.longWork.storedFiles.removeUnheld()
    expect((await sql`select from stored_file`.execute(test.db)).rows).toEqual([])
  })

  it('of a version before this one is carried over, and so is the logo', async () => {
    const { files, kit } = test.app.services
    const store = async (bytes: Buffer) => (await files.put(Readable.from([bytes]), { maxBytes: bytes.length })).key
    const [photo, lost, logo] = [await store(jpg), 'f'.repeat(32), await store(png)]
    const owner = new pg.Client(test.database.owner)
    await owner.connect()
    await owner.query(`alter table sys_user drop column photo; alter table sys_user add column photo text;
      update sys_user set photo = '${photo}' where id = ${ids.anna};
      update sys_user set photo = '${lost}' where id = ${ids.bert};
      insert into system_config (key, value) values ('logo', '"/api/v1/logo/${logo}"')`)
    await owner.query(readFileSync(migration, 'utf8'))
    await owner.end()
    await kit.longWork.storedFiles.describeStored()
    test.app.services.settings.forget()
    const mine = (await test.call(profile, {}, as('anna'))).data.photo
    const carried = await read(String(mine), 'anna')
    expect(carried.rawPayload).toEqual(jpg)
    expect(carried.headers['content-type']).toBe('image/jpeg')
    expect((await test.call(profile, {}, as('bert'))).data.photo).toBeNull()
    const shown = await read(String((await test.call(runtime, {})).data.logo))
    expect(shown.rawPayload).toEqual(png)
  })

  it('is refused as anything else, with too many pixels, and from 2 MB on', async () => {
    expect(await send(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'))).toMatchObject({
      status: 400,
      code: 100002,
    })
    expect(await send(Buffer.from('GIF89a'))).toMatchObject({ status: 400, code: 100002 })
    expect(await send(flood)).toMatchObject({ status: 400, code: 100002 })
    const full = 2 * 1024 * 1024
    expect((await send(Buffer.concat([png, Buffer.alloc(full - 1 - png.length)]))).code).toBe(100000)
    expect(await send(Buffer.concat([png, Buffer.alloc(full - png.length)]))).toMatchObject({
      status: 413,
      code: 53034,
    })
  })
})

describe('notifications', () => {
  const tell = (userId: number, word: string, type = 'export') =>
    sql`insert into notification (user_id, type, title, data) values (${userId}, ${type}, ${word}, '{"fileName":"a.xlsx","rows":3}')`.execute(
      test.db,
    )
  const list = async (name: keyof typeof tokens, query: object = {}, language = 'en') =>
    (await test.call(notifications, query, { ...as(name), headers: { 'accept-language': language } })).data as {
      rows: { id: number; title: string; text: string; read: boolean }[]
      total: number
      unread: number
    }

  it('are one’s own, newest first, in the language of the reader', async () => {
    await tell(ids.anna, 'exportDone')
    await tell(ids.bert, 'exportDone')
    const inEnglish = await list('anna')
    expect(inEnglish).toMatchObject({
      total: 1,
      unread: 1,
      rows: [{ read: false, text: expect.stringContaining('a.xlsx') }],
    })
    const inChinese = await list('anna', {}, 'zh-CN')
    expect(inChinese.rows[0]?.title).not.toBe(inEnglish.rows[0]?.title)
  })

  it('are read and cleared by their owner only, some or all', async () => {
    await tell(ids.anna, 'importDone', 'import')
    const { rows } = await list('anna')
    const all = rows.map(({ id }) => id)
    await test.call(readNotifications, { ids: all }, as('bert'))
    await test.call(clearNotifications, {}, as('bert'))
    expect(await list('anna')).toMatchObject({ total: 2, unread: 2 })
    expect(await list('bert')).toMatchObject({ total: 0, unread: 0 })
    await test.call(readNotifications, { ids: all.slice(0, 1) }, as('anna'))
    expect(await list('anna', { unread: 'true' })).toMatchObject({ total: 1, unread: 1 })
    expect(await list('anna', { type: 'import' })).toMatchObject({ total: 1 })
    await test.call(readNotifications, {}, as('anna'))
    await test.call(clearNotifications, { ids: all.slice(0, 1) }, as('anna'))
    expect(await list('anna')).toMatchObject({ total: 1, unread: 0 })
  })
})

describe('saved views', () => {
  const state = { search: 'type=1&sort=-username', columns: ['name'] }
  const save = async (name: keyof typeof tokens, view: object) =>
    (await test.call(saveView, { resource: 'user', name: 'Mine', state, ...view }, as(name))) as unknown as {
      code: number
      data: { id: number }
    }
  const list = async (name: keyof typeof tokens) =>
    ((await test.call(savedViews, { resource: 'user' }, as(name))).data as { rows: SavedView[] }).rows

  it('are seen by their owner and, when shared, by the owner’s organisation', async () => {
    await save('anna', { name: 'Private' })
    await save('anna', { name: 'Shared', shared: true, isDefault: true })
    expect((await list('anna')).map(({ name }) => name)).toEqual(['Private', 'Shared'])
    expect(await list('bert')).toMatchObject([{ name: 'Shared', own: false, isDefault: false, state }])
    expect(await list('carl')).toEqual([])
  })

  it('are saved and shared by whoever sees the list themselves', async () => {
    expect((await save('anna', { resource: 'operationLog', name: 'Theirs', shared: true })).code).toBe(100013)
    expect((await save('anna', { resource: 'operationLog', name: 'Own' })).code).toBe(100013)
  })

  it('ask for nothing their list does not take, whatever it is called', async () => {
    for (const search of ['__proto__=1', 'constructor=1', 'nonsense=1'])
      expect((await save('anna', { name: search, state: { search } })).code).toBe(100009)
  })

  it('have one default a list', async () => {
    const { data } = await save('bert', { name: 'One', isDefault: true })
    await save('bert', { name: 'Two', isDefault: true })
    expect((await list('bert')).filter(({ isDefault }) => isDefault)).toMatchObject([{ name: 'Two' }])
    await save('bert', { id: data.id, name: 'One again', isDefault: true })
    expect((await list('bert')).filter(({ isDefault }) => isDefault)).toMatchObject([{ name: 'One again' }])
  })

  it('are changed and removed by their owner only', async () => {
    const { data } = await save('anna', { name: 'Kept', shared: true })
    expect((await save('bert', { id: data.id, name: 'Taken' })).code).toBe(100017)
    expect((await test.call(removeView, { id: data.id }, as('bert'))).code).toBe(100017)
    expect((await test.call(removeView, { id: data.id }, as('anna'))).code).toBe(100000)
  })
})

describe('favourites', () => {
  const top = async (name: keyof typeof tokens) =>
    (await test.call(favourites, {}, as(name))).data as unknown as { rows: Favourite[]; views: ViewOfList[] }
  const add = (name: keyof typeof tokens, path: string) =>
    test.call(addFavourite, { path }, as(name)) as unknown as Promise<{ code: number; data: { id: number } }>

  it('are kept for one person, a page once, until they are taken away', async () => {
    const { data } = await add('bert', '/org/list')
    await add('bert', '/system/user?view=3')
    expect((await add('bert', '/org/list')).data.id).toBe(data.id)
    expect((await top('bert')).rows.map(({ path }) => path)).toEqual(['/org/list', '/system/user?view=3'])
    expect((await top('anna')).rows).toEqual([])
    expect((await test.call(removeFavourite, { id: data.id }, as('anna'))).code).toBe(100017)
    await test.call(removeFavourite, { id: data.id }, as('bert'))
    expect((await top('bert')).rows.map(({ path }) => path)).toEqual(['/system/user?view=3'])
  })

  it('lead nowhere outside the console', async () => {
    for (const path of ['//elsewhere.example', '/\\elsewhere.example', 'https://elsewhere.example', ''])
      expect((await add('carl', path)).code).not.toBe(100000)
  })

  it('come with the views of the lists the person sees', async () => {
    const view = { state: { search: 'type=1' }, shared: true }
    await test.call(saveView, { ...view, resource: 'organisation', name: 'Enterprises' }, as('anna'))
    const names = async (name: keyof typeof tokens) => (await top(name)).views.map((each) => each.name)
    expect((await top('bert')).views).toContainEqual(
      expect.objectContaining({ name: 'Enterprises', perm: 'org:list:list', search: 'type=1' }),
    )
    expect(await names('carl')).toEqual([])
  })
})

describe('where somebody is signed in', () => {
  const own = async (token: string) => (await test.call(ownSessions, {}, { token })).data.rows as OwnSession[]

  it('is told to them alone, and another of their sessions can be ended', async () => {
    const other = (await test.signIn('bert')).token
    const before = await own(tokens.bert)
    expect(before.filter(({ current }) => current)).toHaveLength(1)
    const seenThere = await own(other)
    expect(seenThere.map(({ id }) => id).sort()).toEqual(before.map(({ id }) => id).sort())
    const id = seenThere.find(({ current }) => current)?.id ?? ''
    expect((await test.call(endOwnSession, { id }, { token: tokens.anna })).code).not.toBe(100000)
    expect(await test.call(endOwnSession, { id }, { token: other })).toMatchObject({ code: 21272, status: 409 })
    expect((await test.call(endOwnSession, { id }, { token: tokens.bert })).code).toBe(100000)
    expect((await test.call(profile, {}, { token: other })).code).not.toBe(100000)
    expect((await own(tokens.bert)).map(({ id }) => id)).not.toContain(id)
    expect((await test.call(profile, {}, { token: tokens.bert })).code).toBe(100000)
  })
})
