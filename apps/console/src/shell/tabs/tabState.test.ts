import { describe, expect, it } from 'vitest'
import {
  close,
  keysToClose,
  mostAlive,
  noTabs,
  pin,
  refresh,
  restore,
  save,
  startOver,
  type TabState,
  visit,
} from './tabState.ts'

const clean = () => false
const open = (...addresses: string[]): TabState =>
  addresses.reduce((state, address) => {
    const [key = '', search] = address.split('?')
    return visit(state, key, search === undefined ? '' : `?${search}`, clean)
  }, noTabs)
const keys = (state: TabState) => state.tabs.map((tab) => tab.key)
const tab = (state: TabState, key: string) => state.tabs.find((each) => each.key === key)

describe('opening', () => {
  it('Home is always there, first and pinned', () => {
    expect(keys(open('/a'))).toEqual(['/home', '/a'])
    expect(tab(open('/a'), '/home')?.pinned).toBe(true)
  })

  it('the same path is one tab and keeps its latest query; other parameters are another tab', () => {
    const state = open('/a?page=1', '/b', '/a?page=2', '/d/1', '/d/2')
    expect(keys(state)).toEqual(['/home', '/a', '/b', '/d/1', '/d/2'])
    expect(tab(state, '/a')?.search).toBe('?page=2')
  })
})

describe('at most 20 alive', () => {
  const many = Array.from({ length: mostAlive + 3 }, (_, index) => `/p/${index}?x=${index}`)

  it('the longest unused ones go cold and keep their query', () => {
    const state = open(...many)
    expect(state.tabs.filter((each) => each.alive)).toHaveLength(mostAlive)
    expect(tab(state, '/p/0')).toMatchObject({ alive: false, search: '?x=0' })
    expect(tab(state, '/p/3')?.alive).toBe(true)
  })

  it('a cold tab comes alive when it is looked at', () => {
    expect(tab(visit(open(...many), '/p/0', '', clean), '/p/0')?.alive).toBe(true)
  })

  it('one with a half-filled form never goes cold', () => {
    const state = many.reduce((now, address) => visit(now, address, '', (key) => key === many[0]), noTabs)
    expect(tab(state, many[0] ?? '')?.alive).toBe(true)
  })
})

describe('closing', () => {
  it('leads to the right neighbour, else to the left', () => {
    const state = { ...open('/a', '/b', '/c'), activeKey: '/b' }
    expect(close(state, ['/b']).activeKey).toBe('/c')
    expect(close(state, ['/b', '/c']).activeKey).toBe('/a')
    expect(close(state, ['/a', '/b', '/c']).activeKey).toBe('/home')
  })

  it('a tab in the background leaves the one in front alone, and Home stays', () => {
    const state = close(open('/a', '/b'), ['/a', '/home'])
    expect(keys(state)).toEqual(['/home', '/b'])
    expect(state.activeKey).toBe('/b')
  })

  it('opened again it starts fresh', () => {
    const again = visit(close(open('/a?page=9', '/b'), ['/a']), '/a', '', clean)
    expect(tab(again, '/a')?.search).toBe('')
  })

  it('others, left, right and all spare Home and pinned tabs', () => {
    const state = pin(open('/a', '/b', '/c', '/d'), '/d', true)
    expect(keys(state)).toEqual(['/home', '/d', '/a', '/b', '/c'])
    expect(keysToClose(state, '/b', 'others')).toEqual(['/a', '/c'])
    expect(keysToClose(state, '/b', 'left')).toEqual(['/a'])
    expect(keysToClose(state, '/b', 'right')).toEqual(['/c'])
    expect(keysToClose(state, '/b', 'all')).toEqual(['/a', '/b', '/c'])
    expect(keysToClose(state, '/home', 'self')).toEqual([])
  })
})

describe('refreshing and switching', () => {
  it('refreshing makes a new screen and keeps the query', () => {
    expect(tab(refresh(open('/a?page=2'), '/a'), '/a')).toMatchObject({ generation: 1, search: '?page=2' })
  })

  it('another organisation starts lists over and drops what is not valid there', () => {
    const state = startOver(open('/list?page=3', '/detail/7'), (key) => key === '/list')
    expect(keys(state)).toEqual(['/home', '/list'])
    expect(tab(state, '/list')).toMatchObject({ search: '', generation: 1 })
    expect(state.activeKey).toBe('/home')
  })
})

describe('a reload of the page', () => {
  it('brings every tab back, cold, with its query and pin', () => {
    const state = restore(JSON.parse(JSON.stringify(save(pin(open('/a?page=2', '/b'), '/b', true)))))
    expect(keys(state)).toEqual(['/home', '/b', '/a'])
    expect(tab(state, '/a')).toMatchObject({ search: '?page=2', alive: false })
  })

  it('a damaged save leaves Home alone', () => {
    for (const damaged of [undefined, null, 'x', [1, {}], {}]) expect(keys(restore(damaged))).toEqual(['/home'])
  })
})
