import type { MenuItem } from '@campanile/contract/identity'
import { expect, it } from 'vitest'
import { areaOf, type Entry, firstPath, isScreen, toAreas } from './areas.ts'
import { toMenuTree } from './menu.ts'

let nextId = 1
const entry = (type: 0 | 1, name: string, list: MenuItem[] = []): MenuItem => ({
  menuId: nextId++,
  key: name,
  parentId: null,
  name,
  icon: null,
  orderNum: 0,
  type,
  url: type === 1 ? `/${name}` : null,
  perms: null,
  list,
})
const directory = (name: string, ...list: MenuItem[]) => entry(0, name, list)
const page = (name: string) => entry(1, name)

const areas = (...items: MenuItem[]) => toAreas(toMenuTree(items))
const names = (entries: readonly Entry[]) => entries.map(({ node }) => node.title)

it('the top of the menu are areas, the directories below them labels over their entries', () => {
  const [devices] = areas(
    directory(
      'devices',
      directory('fleet', page('all'), page('groups')),
      directory('work', page('tasks'), page('settings')),
    ),
  )
  expect(devices?.groups.map(({ label, entries }) => [label?.title, names(entries)])).toEqual([
    ['fleet', ['all', 'groups']],
    ['work', ['tasks', 'settings']],
  ])
})

it('a directory with a single child is nowhere: its child stands in its place, without a label', () => {
  const [devices] = areas(
    directory(
      'devices',
      directory('fleet', page('all')),
      page('map'),
      directory('work', page('tasks'), page('settings')),
    ),
  )
  expect(devices?.groups.map(({ label, entries }) => [label?.title, names(entries)])).toEqual([
    [undefined, ['all', 'map']],
    ['work', ['tasks', 'settings']],
  ])
})

it('an area with one screen is that screen, and an area without any is not there', () => {
  const [home, files, ...others] = areas(page('home'), directory('apps', page('files')), directory('alerts'))
  expect([home, files].map((area) => area && [area.key, area.node.title, isScreen(area), firstPath(area)])).toEqual([
    ['home', 'home', true, '/home'],
    ['apps', 'files', true, '/files'],
  ])
  expect(others).toEqual([])
})

it('a directory in the place of an entry is one entry, its screens are the tabs of it', () => {
  const licences = directory('licences', page('iot'), page('im'))
  const [rights] = areas(directory('devices', directory('rights', page('codes'), licences), page('all')))
  expect(rights?.groups[0]?.entries.map(({ node, pages }) => [node.title, pages.map(({ path }) => path)])).toEqual([
    ['codes', ['/codes']],
    ['licences', ['/iot', '/im']],
  ])
  const second = rights?.groups[0]?.entries[1]?.pages[1]
  expect(areaOf(rights ? [rights] : [], second)).toBe(rights)
})

it('the administration stands at the foot, whatever it is called', () => {
  const named = { ...directory('system', page('users'), page('roles')), name: 'Office' }
  expect(areas(page('home'), named).map(({ foot }) => foot)).toEqual([false, true])
})
