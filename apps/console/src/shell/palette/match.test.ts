import { describe, expect, it } from 'vitest'
import { type Entry, matchEntries } from './match.ts'
import { soundOf } from './sound.ts'

const entry = (title: string, ...words: string[]): Entry => ({
  id: title,
  kind: 'screen',
  title,
  hint: '',
  words: [title, ...words],
  run: () => undefined,
})
const entries = [
  entry('Remote device', '远程设备'),
  entry('Device list', '设备列表', '/device/list'),
  entry('Roles', '角色'),
]
const found = (query: string) => matchEntries(entries, query, soundOf).map((each) => each.title)

describe('the palette', () => {
  it('shows everything when nothing is typed', () => {
    expect(found(' ')).toHaveLength(3)
  })

  it('puts a match at the start before one inside', () => {
    expect(found('device')).toEqual(['Device list', 'Remote device'])
  })

  it('finds by path and by the name in another language', () => {
    expect(found('device/li')).toEqual(['Device list'])
    expect(found('角色')).toEqual(['Roles'])
  })

  it('finds Chinese names by initials and by whole syllables', () => {
    expect(found('sblb')).toEqual(['Device list'])
    expect(found('shebei')).toEqual(['Remote device', 'Device list'])
    expect(found('js')).toEqual(['Roles'])
  })

  it('finds nothing for nonsense', () => {
    expect(found('qqqq')).toEqual([])
  })
})
