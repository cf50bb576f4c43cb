import { describe, expect, it } from 'vitest'
import { type Entry, matchEntries, readTyped, verbsTyped } from './match.ts'
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

describe('what is typed', () => {
  const restartApp = { label: 'Restart app', words: ['restartApp'] }
  const restartDevice = { label: 'Restart device', words: ['reboot'] }
  const message = { label: '发送消息', words: ['message'] }
  const verbs = [restartApp, restartDevice, message]

  it('asks for actions alone after >', () => {
    expect(readTyped(' >  sign')).toEqual({ actionsOnly: true, text: 'sign' })
    expect(readTyped('sign ')).toEqual({ actionsOnly: false, text: 'sign' })
  })

  it('may begin with a verb, in the words of the page or in the command’s own', () => {
    expect(verbsTyped(verbs, 'restart CR80')).toEqual({ verbs: [restartApp, restartDevice], rest: 'CR80' })
    expect(verbsTyped(verbs, 'Restart dev CR80')).toEqual({ verbs: [restartDevice], rest: 'CR80' })
    expect(verbsTyped(verbs, 'reboot CR80')).toEqual({ verbs: [restartDevice], rest: 'CR80' })
    expect(verbsTyped(verbs, '发送 CR80')).toEqual({ verbs: [message], rest: 'CR80' })
  })

  it('is a name when no verb stands before it', () => {
    expect(verbsTyped(verbs, 'CR80')).toBeUndefined()
    expect(verbsTyped(verbs, 'Store Glenwood')).toBeUndefined()
    expect(verbsTyped(verbs, 'restart')).toBeUndefined()
    expect(verbsTyped(verbs, 'r CR80')).toBeUndefined()
  })
})
