import type { MenuItem } from '@campanile/contract/identity'
import { describe, expect, it } from 'vitest'
import type { Screen } from '../screens.ts'
import { toMenuRoutes, toMenuTree } from './menu.ts'
import { resolve } from './resolve.ts'

const screen = (path: string, rest: Partial<Screen> = {}): Screen => ({
  path,
  load: () => Promise.reject(new Error('not loaded in this test')),
  titleKey: path,
  ...rest,
})
const menuOf = (...urls: string[]): MenuItem[] =>
  urls.map((url, menuId) => ({
    menuId,
    key: null,
    parentId: null,
    name: url,
    icon: null,
    orderNum: menuId,
    type: 1,
    url,
    perms: null,
    list: [],
  }))

const at = (path: string, screens: Screen[], ...urls: string[]) =>
  resolve(path, { screens, routes: toMenuRoutes(toMenuTree(menuOf(...urls))) })

describe('which page stands at an address', () => {
  it('a screen that the menu opens', () => {
    const found = at('/device/list', [screen('/device/list')], '/device/list')
    expect(found).toMatchObject({ kind: 'screen', screen: { path: '/device/list' }, menu: { path: '/device/list' } })
  })

  it('a screen that the menu does not open is forbidden, an address nobody knows is not found', () => {
    expect(at('/device/list', [screen('/device/list')], '/other').kind).toBe('forbidden')
    expect(at('/nowhere', [screen('/device/list')], '/other').kind).toBe('notFound')
  })

  it('an address that only holds others leads to the first the menu opens, in its order', () => {
    const screens = [screen('/device/list'), screen('/device/group')]
    expect(at('/device', screens, '/device/list', '/device/group')).toEqual({ kind: 'redirect', to: '/device/list' })
    expect(at('/device/', screens, '/other', '/device/group')).toEqual({ kind: 'redirect', to: '/device/group' })
    expect(at('/device', screens, '/device/detail/:sn', '/devices').kind).toBe('notFound')
  })

  it('a menu entry without a screen of its own shows what is declared for it, the same every time', () => {
    const found = at('/device/list', [], '/device/list')
    expect(found).toMatchObject({ kind: 'screen', screen: { path: '/device/list' }, menu: { path: '/device/list' } })
    const again = at('/device/list', [], '/device/list')
    expect(found.kind === 'screen' && again.kind === 'screen' && again.screen === found.screen).toBe(true)
  })

  it.each(['/home', '/personal', '/personal/profile', '/404', '/401'])('%s is open to everyone signed in', (path) => {
    expect(at(path, [screen(path)]).kind).toBe('screen')
  })

  it('a drill-down asks for the permission of its list and belongs to it in the menu', () => {
    const detail = screen('/device/list/detail/:sn', { parentPath: '/device/list' })
    expect(at('/device/list/detail/HP-1', [detail], '/device/list')).toMatchObject({
      kind: 'screen',
      params: { sn: 'HP-1' },
      menu: { path: '/device/list' },
    })
    expect(at('/device/list/detail/HP-1', [detail]).kind).toBe('forbidden')
  })

  it('a fixed path wins over one with a parameter', () => {
    const found = at('/a/new', [screen('/a/:id'), screen('/a/new')], '/a/:id', '/a/new')
    expect(found).toMatchObject({ screen: { path: '/a/new' } })
  })
})
