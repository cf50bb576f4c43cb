import {
  activationCode,
  loginSingle,
  menuType,
  type NavigationEntry,
  navigationTree,
  signSecret,
} from '@campanile/contract'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addRole, addUser } from '../../test/app.ts'
import { type Person, startWorld, type World } from '../../test/world.ts'
import { syncMenus } from './menu-sync.ts'

let world: World
let root: Person
let admin: Person
beforeAll(async () => {
  world = await startWorld()
  root = await world.as('admin')
  admin = await world.as('alder.admin')
})
afterAll(() => world.stop())

const path = '/api/v1/oauth/menus'
const name = { en: 'Reports', 'zh-cn': '报表', 'zh-tw': '報表' }
const idOf = async (key: string): Promise<number> => {
  const { rows } = await sql<{ id: number }>`select id from menu where key = ${key}`.execute(world.db)
  return rows[0]?.id as number
}
const make = async (body: Record<string, unknown>): Promise<number> => {
  const answer = await root.post(`${path}/create`, { name, ...body })
  expect(answer).toMatchObject({ code: 100000 })
  return answer.data.id as number
}
interface Item {
  menuId: number
  name: string
  url: string | null
  type: number
  list: Item[]
}
const navigation = async (who: Person) => {
  const { data } = await who.get('/api/v1/oauth/navigation')
  return {
    permissions: data.permissions as string[],
    menu: data.navigationMenu as Item[],
    unused: data.unused as { module: string; pages: Item[] }[],
  }
}
const urls = (items: readonly Item[]): string[] =>
  items.flatMap((item) => [...(item.url ? [item.url] : []), ...urls(item.list)])

describe('the menu tree', () => {
  it('holds what the product ships, in three languages', async () => {
    const rows = (await root.get(path)).data.rows as {
      name: typeof name
      builtIn: boolean
      list: { name: typeof name }[]
    }[]
    const areas = ['Home', 'Devices', 'Alerts', 'Apps & firmware', 'People & school', 'Insight', 'Admin']
    expect(rows.map((row) => row.name.en)).toEqual(areas)
    expect(rows[1]).toMatchObject({ name: { 'zh-cn': '设备', 'zh-tw': '裝置' }, builtIn: true })
    expect(rows[1]?.list.map((group) => group.name.en)).toEqual(['Fleet', 'Work', 'By type', 'Rights', 'Diagnosis'])
    // Rooms that say in their declaration where they stand come behind these.
    expect(rows[4]?.list.slice(0, 2)).toMatchObject([
      { url: '/org/list', list: expect.any(Array) },
      { url: '/org/tree' },
    ])
    expect(await root.get(`${path}/${await idOf('home')}`)).toMatchObject({ data: { url: '/home', builtIn: true } })
  })

  it('belongs to the installation', async () => {
    for (const who of [admin, await world.as('harbour.admin')]) {
      expect(await who.get(path)).toMatchObject({ code: 100013 })
      expect(await who.post(`${path}/create`, { type: 0, name })).toMatchObject({ code: 100013 })
    }
  })

  it('takes directories, menus and buttons where they belong', async () => {
    const directory = await make({ type: menuType.directory, icon: 'analytics' })
    const menu = await make({
      type: menuType.menu,
      parentId: directory,
      url: '/reports/daily',
      perms: 'reports:daily:list',
    })
    const button = await make({ type: menuType.button, parentId: menu, perms: 'reports:daily:print' })
    expect(await root.put(`${path}/update`, { id: button, parentId: directory })).toMatchObject({ code: 21153 })
    expect(await root.remove(`${path}/delete`, { ids: [menu] })).toMatchObject({ code: 21154 })
    expect(await root.remove(`${path}/delete`, { ids: [menu, button, directory] })).toMatchObject({
      data: { removed: 3 },
    })
  })

  it.each([
    [{ type: 0, name: undefined }, 21151],
    [{ type: 0, name: { en: 'Only English' } }, 21151],
    [{ type: 1 }, 21152],
    [{ type: 2, perms: 'a:b:c' }, 21153],
    [{ type: 1, url: '/x', parentId: 999_999 }, 21153],
    [{ type: 1, url: '/home' }, 21155],
  ])('refuses %j with %i', async (body, code) => {
    expect(await root.post(`${path}/create`, { name, ...body })).toMatchObject({ code })
  })

  it('has every permission once', async () => {
    const parentId = await idOf('users')
    expect(await root.post(`${path}/create`, { name, type: 2, parentId, perms: 'system:user:add' })).toMatchObject({
      code: 21156,
    })
    expect(await root.post(`${path}/create`, { name, type: 2, parentId, perms: 'system:role:list' })).toMatchObject({
      code: 21156,
    })
  })

  it('makes no ring', async () => {
    const outer = await make({ type: 0 })
    const inner = await make({ type: 0, parentId: outer })
    expect(await root.put(`${path}/update`, { id: outer, parentId: inner })).toMatchObject({ code: 21153 })
    expect(await root.put(`${path}/update`, { id: outer, parentId: outer })).toMatchObject({ code: 21153 })
    await root.remove(`${path}/delete`, { ids: [outer, inner] })
  })

  it('keeps the way to itself in sight: hidden, nobody could show it again', async () => {
    const refused = { status: 403, code: 21157, data: { url: '/system/menu' } }
    const id = await idOf('menus')
    const parentId = await idOf('system')
    const { rows } = await sql<{ id: number }>`select id from menu where ${id} in (id, parent_id)`.execute(world.db)
    expect(await root.remove(`${path}/delete`, { ids: rows.map((row) => row.id) })).toMatchObject({ code: 21157 })
    for (const hidden of [id, parentId]) {
      const answer = await root.put(`${path}/update`, { id: hidden, visible: false })
      expect(answer).toMatchObject({ ...refused, message: expect.stringContaining('/system/menu') })
      expect(answer.data.field).toBe('visible')
    }
    const cellar = await make({ type: menuType.directory, visible: false })
    expect(await root.put(`${path}/update`, { id, parentId: cellar })).toMatchObject(refused)
    expect(await root.put(`${path}/update`, { id: parentId, parentId: cellar })).toMatchObject(refused)
    expect(urls((await navigation(root)).menu)).toContain('/system/menu')
    await root.remove(`${path}/delete`, { ids: [cellar] })
  })

  it('lets shipped entries be renamed, moved and hidden, but keeps what they open and allow', async () => {
    const id = await idOf('files')
    expect(await root.remove(`${path}/delete`, { ids: [id] })).toMatchObject({ code: 21157 })
    expect(await root.put(`${path}/update`, { id, url: '/elsewhere' })).toMatchObject({ code: 21157 })
    expect(await root.put(`${path}/update`, { id, perms: 'x:y:z' })).toMatchObject({ code: 21157 })
    expect(
      await root.put(`${path}/update`, { id, name, orderNum: 7, visible: false, parentId: await idOf('system') }),
    ).toMatchObject({ code: 100000 })
    const before = await sql`select * from menu order by id`.execute(world.db)
    await syncMenus(world.db)
    expect((await sql`select * from menu order by id`.execute(world.db)).rows).toEqual(before.rows)
    await root.put(`${path}/update`, { id, visible: true, parentId: await idOf('iot') })
  })

  it('takes over an entry people made for a route that is shipped later, and gives back what was lost', async () => {
    await sql`update menu set key = null where key = 'announcements'`.execute(world.db)
    await sql`delete from menu where key = 'notice:announcement:export'`.execute(world.db)
    await syncMenus(world.db)
    const all = (entries: readonly NavigationEntry[]): string[] =>
      entries.flatMap((entry) => [entry.key, ...all(entry.children)])
    const { rows } = await sql<{ key: string }>`select key from menu where key is not null`.execute(world.db)
    expect(rows.map((row) => row.key).sort()).toEqual(all(navigationTree).sort())
  })
})

describe('navigation', () => {
  it('gives the installation’s administrator everything', async () => {
    const { permissions, menu } = await navigation(root)
    expect(permissions).toEqual(['all'])
    expect(urls(menu)).toEqual(expect.arrayContaining(['/home', '/org/list', '/system/menu', '/system/config']))
    expect(JSON.parse(menu[0]?.name ?? '')).toEqual({ en: 'Home', 'zh-cn': '首页', 'zh-tw': '首頁' })
  })

  it('gives an enterprise’s administrator an explicit list without the installation’s entries', async () => {
    const { permissions, menu } = await navigation(admin)
    expect(permissions).toEqual(
      expect.arrayContaining(['org:list:add', 'system:user:twofa', 'device:groupRel:save', 'device:groupRel:delete']),
    )
    expect(permissions[0]).not.toBe('all')
    expect(permissions.filter((perm) => /^system:(menu|config):/.test(perm))).toEqual([])
    expect(urls(menu)).toContain('/system/user')
    expect(urls(menu)).not.toContain('/system/menu')
    expect(urls(menu)).not.toContain('/system/config')
  })

  it('shows what a role grants, without parents that have nothing left, in order', async () => {
    const role = await addRole(world.db, {
      departmentId: world.a.id,
      permissions: ['system:role:list', 'iot:files:list', 'system:config:list'],
    })
    await addUser(world.db, { username: 'narrow', departmentId: world.a.id, roleIds: [role] })
    const { permissions, menu } = await navigation(await world.as('narrow'))
    expect(urls(menu)).toEqual(['/home', '/IOT/files/list', '/system/role'])
    expect(permissions).not.toContain('system:config:list')
    expect(menu.flatMap((item) => item.list).every((item) => item.type === menuType.menu)).toBe(true)
  })

  it('follows a change of the tree and of a role at once', async () => {
    const id = await idOf('roles')
    await root.put(`${path}/update`, { id, visible: false })
    expect(urls((await navigation(admin)).menu)).not.toContain('/system/role')
    await root.put(`${path}/update`, { id, visible: true })
    expect(urls((await navigation(admin)).menu)).toContain('/system/role')
  })

  it('shows somebody without any right their home only', async () => {
    const role = await addRole(world.db, { departmentId: world.a.id, permissions: ['unknown:thing:list'] })
    await addUser(world.db, { username: 'nothing', departmentId: world.a.id, roleIds: [role] })
    expect(urls((await navigation(await world.as('nothing'))).menu)).toEqual(['/home'])
  })

  it('hands the signing keys to an SI’s safety officer while the mode is on', async () => {
    const { rows } = await sql<{
      id: number
    }>`select id from sys_role where department_id = ${world.si} and preset = 'safetyOfficer'`.execute(world.db)
    await addUser(world.db, {
      username: 'harbour.safety',
      departmentId: world.si,
      type: 1,
      roleIds: [rows[0]?.id as number],
    })
    const officer = await world.as('harbour.safety')
    const has = async (who: Person) => urls((await navigation(who)).menu).includes(signSecret.entry.url)
    expect(await has(officer)).toBe(false)
    await sql`insert into system_config (key, value) values ('signSecret', 'true')`.execute(world.db)
    world.clock.advance(2)
    expect(await has(officer)).toBe(true)
    expect((await navigation(officer)).permissions).toEqual(expect.arrayContaining([...signSecret.permissions]))
    expect(await has(await world.as('alder.safety'))).toBe(false)
    expect(await has(await world.as('harbour.admin'))).toBe(false)
  })
})

describe('modules an organisation does not use', () => {
  const depts = '/api/v1/oauth/depts'
  const say = async (id: number, unusedModules: readonly string[] | null) =>
    expect(
      await root.put(`${depts}/update`, {
        id,
        ownModules: unusedModules !== null,
        ...(unusedModules && { unusedModules }),
      }),
    ).toMatchObject({ code: 100000 })
  const shown = async (who: Person) => urls((await navigation(who)).menu)
  const licences = ['/device/license/iot', '/device/license/im', '/device/license/health']

  it('are all used until somebody says otherwise', async () => {
    const { menu, unused } = await navigation(admin)
    expect(unused).toEqual([])
    expect(urls(menu)).toEqual(expect.arrayContaining([...licences, '/access/record', '/device/robot']))
  })

  it('are not in its menu, nor is a directory that held nothing else; rights stay and a link finds the page', async () => {
    const before = await navigation(admin)
    await say(world.a.id, ['licences', 'activation'])
    const { permissions, menu, unused } = await navigation(admin)
    const gone = [...licences, '/activation/code']
    expect(urls(menu)).toEqual(urls(before.menu).filter((url) => !gone.includes(url)))
    expect(JSON.stringify(menu)).not.toContain('Rights')
    expect(permissions).toEqual(before.permissions)
    expect(unused.map(({ module, pages }) => [module, urls(pages)])).toEqual([
      ['licences', licences],
      ['activation', ['/activation/code']],
    ])
    expect(await admin.get(`${activationCode.wire.path}/list`)).toMatchObject({ code: 100000 })
    expect(await shown(await world.as('birch.admin'))).toEqual(expect.arrayContaining(gone))
    expect(await shown(await world.as('harbour.admin'))).toEqual(expect.arrayContaining(gone))
  })

  it('tell of pages only those whom the menu would show them', async () => {
    const role = await addRole(world.db, { departmentId: world.a.id, permissions: ['license:im:list'] })
    await addUser(world.db, { username: 'messenger', departmentId: world.a.id, roleIds: [role] })
    const { unused } = await navigation(await world.as('messenger'))
    expect(unused.map(({ module, pages }) => [module, urls(pages)])).toEqual([
      ['licences', ['/device/license/im']],
      ['activation', []],
    ])
  })

  it('go for those below as well, until one says for itself, and by the organisation one has entered', async () => {
    const { data } = await world.call(loginSingle, { departmentId: world.a.shop }, { token: root.token })
    const inShop = async () => {
      const answer = await world.request('GET', '/api/v1/oauth/navigation', undefined, { token: data.token as string })
      return urls(answer.data.navigationMenu as Item[])
    }
    expect(await inShop()).not.toContain('/activation/code')
    await say(world.a.shop, ['access'])
    expect(await inShop()).toEqual(expect.arrayContaining(['/activation/code', ...licences]))
    expect(await inShop()).not.toContain('/access/record')
    await say(world.a.shop, [])
    expect(await inShop()).toEqual(expect.arrayContaining(['/activation/code', '/access/record']))
    await say(world.a.shop, null)
    expect(await inShop()).not.toContain('/activation/code')
    expect(await inShop()).toContain('/access/record')
    expect(await shown(root)).toContain('/activation/code')
  })

  it('are found by no search', async () => {
    await sql`insert into activation_code (sn, department_id, code_hash, code_sealed)
      values ('MODULES-1', ${world.a.shop}, '\\x01', '-')`.execute(world.db)
    const kinds = async () =>
      ((await admin.get('/api/v1/search', { wanted: 'MODULES-1' })).data.kinds as { kind: string }[]).map(
        ({ kind }) => kind,
      )
    expect(await kinds()).not.toContain('activationCode')
    await say(world.a.id, null)
    expect(await kinds()).toContain('activationCode')
  })

  it('are those the product has', async () => {
    expect(
      await root.put(`${depts}/update`, { id: world.a.id, ownModules: true, unusedModules: ['devices'] }),
    ).toMatchObject({
      code: 100002,
    })
  })
})
