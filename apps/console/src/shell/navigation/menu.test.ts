import { flattened, navigationTree } from '@campanile/contract'
import type { MenuItem } from '@campanile/contract/identity'
import { describe, expect, it } from 'vitest'
import { menuIconNames } from '../icons.tsx'
import { listedNodes, toMenuRoutes, toMenuTree, withHome } from './menu.ts'

let nextId = 1
const entry = (type: 0 | 1 | 2, url: string | null, orderNum = 0, list: MenuItem[] = []): MenuItem => ({
  menuId: nextId++,
  key: null,
  parentId: null,
  name: url ?? 'button',
  icon: null,
  orderNum,
  type,
  url,
  perms: null,
  list,
})
const directory = (url: string | null, list: MenuItem[], orderNum = 0) => entry(0, url, orderNum, list)
const page = (url: string, orderNum = 0, list: MenuItem[] = []) => entry(1, url, orderNum, list)
const button = () => entry(2, null)

const routesOf = (items: MenuItem[]) =>
  Object.fromEntries(toMenuRoutes(toMenuTree(items)).map((route) => [route.path, route]))

it('the menu of a new installation names icons that are drawn', () => {
  const undrawn = flattened(navigationTree).filter(({ icon }) => icon !== undefined && !menuIconNames.includes(icon))
  expect(undrawn.map(({ key, icon }) => `${key}: shell/icons.tsx has no ${icon}`)).toEqual([])
})

describe('the menu of the server', () => {
  it('is ordered by its numbers at every level and shows no buttons', () => {
    const tree = toMenuTree([
      directory('/b', [page('/b/2', 2), page('/b/1', 1, [button()])], 2),
      page('/a', 1, [button()]),
    ])
    expect(tree.map((node) => node.path)).toEqual(['/a', '/b'])
    expect(tree[1]?.children.map((node) => node.path)).toEqual(['/b/1', '/b/2'])
    expect(tree[0]?.children).toEqual([])
  })

  it('hides a directory that nothing permitted is left in, however deep', () => {
    expect(toMenuTree([directory('/a', [directory('/a/b', [button()])])])).toEqual([])
  })

  it('becomes paths, whatever slashes the url carries', () => {
    expect(Object.keys(routesOf([page('device/list'), page('/system/user/')]))).toEqual([
      '/device/list',
      '/system/user',
    ])
  })

  it('a directory leads to its first page by order, through directories below it', () => {
    const routes = routesOf([
      directory('/a', [directory('/a/x', [page('/a/x/2', 2), page('/a/x/1', 1)], 1), page('/a/y', 5)]),
    ])
    expect(routes['/a']?.redirect).toBe('/a/x/1')
    expect(routes['/a/x']?.redirect).toBe('/a/x/1')
    expect(routes['/a/y']?.redirect).toBeUndefined()
  })

  it('a directory does not lead to a page that needs a parameter', () => {
    expect(routesOf([directory('/a', [page('/a/:id', 1), page('/a/list', 2)])])['/a']?.redirect).toBe('/a/list')
  })

  it('a directory that carries the url of its own first page does not redirect to itself', () => {
    expect(routesOf([directory('/a', [page('/a')])])['/a']?.redirect).toBeUndefined()
  })

  it('paths with a parameter are reachable and not listed', () => {
    const items = [directory('/a', [page('/a/list', 1), page('/a/detail/:id', 2)]), directory('/b', [page('/b/:id')])]
    expect(routesOf(items)['/a/detail/:id']?.dynamic).toBe(true)
    const listed = listedNodes(toMenuTree(items))
    expect(listed.map((node) => [node.path, node.children.map((child) => child.path)])).toEqual([['/a', ['/a/list']]])
  })

  it('always has a home, once', () => {
    expect(withHome([]).map((node) => node.path)).toEqual(['/home'])
    expect(withHome(toMenuTree([page('/home'), page('/a', 1)])).map((node) => node.path)).toEqual(['/home', '/a'])
  })
})
