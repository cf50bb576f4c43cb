import { stat } from 'node:fs/promises'
import { join as joinPath } from 'node:path'
import { event, hello, reply, state } from '@campanile/contract/protocol'
import { expect, it } from 'vitest'
import { createIdentityStore } from './identity.ts'
import { join } from './join.ts'
import { openJournal } from './journal.ts'
import { createBenchHardware } from './test/bench-hardware.ts'
import { sn, useAgents } from './test/use-agents.ts'

const bench = useAgents()
const { start, answered, answersTo, newPlatform } = bench

it('keeps its identity where nobody else can read it', async () => {
  expect((await stat(joinPath(bench.folder, 'identity.json'))).mode & 0o777).toBe(0o600)
})

it('is told why a code does not let it in', async () => {
  await expect(join(bench.platform.serverUrl, { sn, code: 'wrong' })).rejects.toThrow('no such code (204033)')
  await expect(join(bench.platform.serverUrl, { sn: 'a/b', code: 'x' })).rejects.toThrow('no serial number')
  await expect(join('http://127.0.0.1:1', { sn, code: 'x' })).rejects.toThrow('does not answer')
})

it('says who it is, then its values, then only what has changed', async () => {
  const { values } = await start()
  const first = await bench.platform.hears(({ kind }) => kind === 'state')
  expect(bench.platform.heard[0]?.kind).toBe('hello')
  expect(hello.parse(bench.platform.heard[0]?.body)).toMatchObject({ model: 'Bench', type: 14 })
  expect(bench.platform.heard[0]?.body.capabilities).toContain('reboot')
  expect(bench.platform.heard[0]?.body.capabilities).not.toContain('kioskOn')
  expect(first.body).toMatchObject({ battery: 80, cpu: 5 })
  values.battery = 79
  const second = await bench.platform.hears(({ kind, body }) => kind === 'state' && body.battery === 79)
  expect(state.parse(second.body)).toEqual(second.body)
  expect(Object.keys(second.body).sort()).toEqual(['battery', 'ts'])
})

it('leaves a will that says it was lost, and a word of its own when it leaves by itself', async () => {
  const { agent } = await start(createBenchHardware(), 0.2)
  agent.interrupt()
  await bench.platform.hears(({ kind, body }) => kind === 'bye' && body.reason === 'lost')
  await expect.poll(() => agent.connected).toBe(true)
  await agent.stop('stopped')
  await bench.platform.hears(({ kind, body }) => kind === 'bye' && body.reason === 'stopped')
})

it('comes back by itself and tells everything anew', async () => {
  await start()
  await bench.platform.hears(({ kind }) => kind === 'state')
  bench.platform.heard.length = 0
  bench.platform.cut()
  await bench.platform.hears(({ kind }) => kind === 'hello')
  expect((await bench.platform.hears(({ kind }) => kind === 'state')).body).toMatchObject({ battery: 80, cpu: 5 })
})

it('acknowledges a command, does it and answers', async () => {
  const { done } = await start()
  await bench.platform.send(sn, { id: '1', name: 'restartApp', args: { package: 'org.example.app' } })
  const answer = await answered('1', 'done')
  expect(answersTo('1')).toEqual(['acknowledged', 'done'])
  expect(reply.parse(answer.body)).toEqual({ id: '1', state: 'done', result: {} })
  expect(done).toEqual(['restart org.example.app'])
})

it('reports at once what a command has changed', async () => {
  await start()
  await bench.platform.send(sn, { id: '1', name: 'lock' })
  await bench.platform.hears(({ kind, body }) => kind === 'state' && body.locked === true)
})

it('tells who it is and all its values anew when it is asked to report', async () => {
  await start()
  const told = await bench.platform.hears(({ kind }) => kind === 'state')
  bench.platform.heard.length = 0
  await bench.platform.send(sn, { id: 'r', name: 'report' })
  await answered('r', 'done')
  await bench.platform.hears(({ kind, body }) => kind === 'hello' && Array.isArray(body.capabilities))
  const again = await bench.platform.hears(({ kind }) => kind === 'state')
  expect(Object.keys(again.body).sort()).toEqual(Object.keys(told.body).sort())
})

it('answers a repeated id again and does nothing again, also after a restart', async () => {
  const { done, agent } = await start()
  await bench.platform.send(sn, { id: '7', name: 'message', args: { title: '', text: 'hi' } })
  await answered('7', 'done')
  bench.platform.heard.length = 0
  await bench.platform.send(sn, { id: '7', name: 'message', args: { title: '', text: 'hi' } })
  await answered('7', 'done')
  await agent.stop('restart')
  bench.platform.heard.length = 0
  const again = await start()
  await bench.platform.send(sn, { id: '7', name: 'message', args: { title: '', text: 'hi' } })
  await answered('7', 'done')
  expect([...done, ...again.done]).toEqual(['show hi'])
})

it('begins a command once when it comes many times at once', async () => {
  const { done } = await start()
  await Promise.all(Array.from({ length: 20 }, () => bench.platform.send(sn, { id: '8', name: 'lock' })))
  await answered('8', 'done')
  expect(done).toEqual(['lock'])
})

it.each([
  ['an expired one', { name: 'lock', expires: Date.now() - 1 }, /^expired: valid until/],
  ['an unknown one', { name: 'selfDestruct' }, /^unknown command selfDestruct/],
  ['one that every object has by birth', { name: 'toString' }, /^unknown command toString/],
  ['wrong arguments', { name: 'devicePassword', args: { password: 'short' } }, /^wrong arguments: password/],
  ['what the machine cannot', { name: 'kioskOff', args: { extra: 1 } }, /^wrong arguments/],
  ['what fails', { name: 'uninstall', args: { package: 'bolt' } }, /^the bolt is stuck$/],
  ['a file with no address for it', { name: 'screenshot' }, /names no address/],
  ['times too close', { name: 'powerSchedule', args: { off: '23:59', on: '00:00', weekdays: [1] } }, /2 minutes apart/],
])('refuses %s with a reason', async (_what, message, reason) => {
  const { done } = await start()
  await bench.platform.send(sn, { id: 'x', ...message })
  expect((await answered('x', 'failed')).body.error).toMatch(reason)
  expect(done).toEqual([])
})

it('says what the machine cannot do', async () => {
  await start()
  const args = { mode: 'single', packages: ['app'], exitPassword: 'secret1', statusBar: false, homeKey: false }
  await bench.platform.send(sn, { id: 'k', name: 'kioskOn', args })
  expect((await answered('k', 'failed')).body.error).toBe('not supported: there is no kiosk on a workbench')
})

it('uploads files to the address and with the token of the command', async () => {
  await start()
  const upload = { url: '/device/v1/upload/42', token: 'once' }
  await bench.platform.send(sn, { id: 'u', name: 'uploadLog', args: { type: 'crash' }, upload })
  const { body } = await answered('u', 'done')
  expect(body.result).toMatchObject({ name: 'crash.txt', bytes: 13 })
  expect(bench.platform.uploads).toEqual([{ path: upload.url, token: 'once', body: Buffer.from('the crash log') }])
})

it('sends a file again whose confirmation was lost, and says done only when it was confirmed', async () => {
  await start()
  bench.platform.loseAnswers(true)
  const upload = { url: '/device/v1/upload/42', token: 'once' }
  await bench.platform.send(sn, { id: 'u', name: 'uploadLog', args: { type: 'crash' }, upload })
  await expect.poll(() => bench.platform.uploads).toHaveLength(1)
  bench.platform.loseAnswers(false)
  await answered('u', 'done')
  const sent = { path: upload.url, token: 'once', body: Buffer.from('the crash log') }
  expect(bench.platform.uploads).toEqual([sent, sent])
})

it('answers a reboot when the machine is back, and not before', async () => {
  const { done, agent } = await start(createBenchHardware('monday'))
  await bench.platform.send(sn, { id: 'r', name: 'reboot' })
  await answered('r', 'acknowledged')
  await expect.poll(() => done).toEqual(['reboot'])
  await agent.stop('power off')
  expect(answersTo('r')).toEqual(['acknowledged'])
  const again = await start(createBenchHardware('tuesday'))
  await answered('r', 'done')
  expect(again.done).toEqual([])
})

it('does not claim to know what became of a command it was killed in', async () => {
  const { agent } = await start(createBenchHardware('monday'))
  await bench.platform.send(sn, { id: 'r', name: 'reboot' })
  await answered('r', 'acknowledged')
  await agent.stop('killed')
  await start(createBenchHardware('monday'))
  expect((await answered('r', 'failed')).body.error).toMatch(/stopped while doing it/)
})

it('tells an answer after the next connection when it could not be told before', async () => {
  const machine = createBenchHardware()
  let release: (() => void) | undefined
  machine.hardware.show = () =>
    new Promise((resolve) => {
      release = () => resolve({})
    })
  const { agent } = await start(machine, 0.2)
  await bench.platform.send(sn, { id: 'm', name: 'message', args: { title: '', text: 'slow' } })
  await expect.poll(() => release).toBeDefined()
  agent.interrupt()
  release?.()
  expect(agent.connected).toBe(false)
  await answered('m', 'done')
})

it('forgets who it is only after it has said that it is wiped', async () => {
  const { identities, isForgotten, done } = await start()
  await bench.platform.send(sn, { id: 'w', name: 'wipe' })
  await answered('w', 'done')
  await bench.platform.hears(({ kind, body }) => kind === 'bye' && body.reason === 'wiped')
  await expect.poll(isForgotten).toBe(true)
  expect(await identities.load()).toBeUndefined()
  expect(done).toEqual(['wipe'])
})

it('gives up who it is when it is unbound, and nothing else', async () => {
  const { identities, isForgotten, done } = await start()
  await bench.platform.send(sn, { id: 'u', name: 'unbind' })
  await answered('u', 'done')
  await bench.platform.hears(({ kind, body }) => kind === 'bye' && body.reason === 'unbound')
  await expect.poll(isForgotten).toBe(true)
  expect(await identities.load()).toBeUndefined()
  expect(done).toEqual([])
})

it('moves to a new server when that has taken it', async () => {
  const other = await newPlatform()
  other.codes.add('new code')
  const { identities } = await start()
  await bench.platform.send(sn, {
    id: 's',
    name: 'switchServer',
    args: { serverUrl: other.serverUrl, code: 'new code' },
  })
  await answered('s', 'done')
  await other.hears(({ kind }) => kind === 'hello')
  await expect.poll(async () => (await identities.load())?.previous).toBeUndefined()
  expect(await identities.load()).toMatchObject({ serverUrl: other.serverUrl, mqttUrl: other.mqttUrl })
})

it('stays where it is when the new server refuses the code or its broker does not answer', async () => {
  const other = await newPlatform()
  const { identities } = await start()
  await bench.platform.send(sn, { id: 'a', name: 'switchServer', args: { serverUrl: other.serverUrl, code: 'wrong' } })
  expect((await answered('a', 'failed')).body.error).toContain('no such code')
  // No code: the same credential, and there is no broker at that address.
  await bench.platform.send(sn, { id: 'b', name: 'switchServer', args: { serverUrl: 'http://127.0.0.2:1' } })
  expect((await answered('b', 'failed')).body.error).toContain(`stayed on ${bench.platform.serverUrl}`)
  expect(await identities.load()).toMatchObject({ serverUrl: bench.platform.serverUrl })
})

it('falls back to the old server when the new one is gone after the move', async () => {
  const other = await newPlatform()
  other.codes.add('new code')
  const moved = await join(other.serverUrl, { sn, code: 'new code' })
  const identities = createIdentityStore(bench.folder)
  const old = await identities.load()
  if (!old) throw new Error('no identity')
  const { sn: _sn, ...previous } = old
  await identities.save({ sn, ...moved, previous })
  await other.close()
  await start()
  await bench.platform.hears(({ kind }) => kind === 'hello')
  const told = await bench.platform.hears(({ kind }) => kind === 'event')
  expect(event.parse(told.body)).toMatchObject({ type: 'serverFallback', level: 'major' })
  expect(await identities.load()).toMatchObject({ serverUrl: bench.platform.serverUrl })
})

/** As a kill leaves it: begun, and nothing more. */
const begun = async (id: string, name: string, more: object = {}) => {
  const journal = await openJournal(bench.folder, () => undefined)
  await journal.write({ id, name, expires: Date.now() + 60_000, boot: 'first', ...more })
}

it.each(['lock', 'configure'] as const)('does %s when it is asked again, cut off in the middle of it', async (name) => {
  await begun('c', name)
  const { done } = await start()
  expect(answersTo('c')).toEqual([])
  await bench.platform.send(sn, { id: 'c', name, args: name === 'configure' ? { version: 1, items: {} } : {} })
  await answered('c', 'done')
  expect(done).toEqual([name])
})

it.each(['message', 'restartApp', 'custom'])('does not do %s twice, and admits that it does not know', async (name) => {
  await begun('c', name)
  const { done } = await start()
  expect((await answered('c', 'failed')).body.error).toMatch(/how far it came is not known/)
  bench.platform.heard.length = 0
  await bench.platform.send(sn, { id: 'c', name, args: { text: 'hi', payload: {} } })
  await answered('c', 'failed')
  expect(done).toEqual([])
})

it('says that a switch is done when it was, although it was killed before it could', async () => {
  await begun('s', 'switchServer', { mark: bench.platform.serverUrl })
  await begun('t', 'switchServer', { mark: 'http://elsewhere' })
  await start()
  await answered('s', 'done')
  await answered('t', 'failed')
})

it('ends a wipe that was answered and cut off, and leaves alone whoever has joined since', async () => {
  const { identities, agent, isForgotten } = await start()
  await bench.platform.send(sn, { id: 'w', name: 'wipe' })
  const present = await identities.load()
  await answered('w', 'done')
  await expect.poll(isForgotten).toBe(true)
  await agent.stop('killed')
  // As if the identity had outlived the kill.
  if (present) await identities.save(present)
  const again = await start()
  await expect.poll(again.isForgotten).toBe(true)
  expect(await identities.load()).toBeUndefined()
  bench.platform.codes.add('anew')
  await identities.save({ sn, ...(await join(bench.platform.serverUrl, { sn, code: 'anew' })) })
  bench.platform.heard.length = 0
  const last = await start()
  await bench.platform.hears(({ kind }) => kind === 'state')
  expect(last.isForgotten()).toBe(false)
})

it('answers a command that comes again while it is being done, without beginning it again', async () => {
  const machine = createBenchHardware()
  let shown = 0
  let release = () => {}
  machine.hardware.show = () =>
    new Promise((resolve) => {
      shown += 1
      release = () => resolve({})
    })
  await start(machine)
  const message = { id: 'p', name: 'message', args: { title: '', text: 'slow' } }
  await bench.platform.send(sn, message)
  await expect.poll(() => shown).toBe(1)
  await bench.platform.send(sn, message)
  await expect.poll(() => answersTo('p')).toEqual(['acknowledged', 'acknowledged'])
  release()
  await answered('p', 'done')
  expect(shown).toBe(1)
})

it('tells why when its journal cannot be written, and does nothing it could not answer for', async () => {
  const full = async () => {
    throw new Error('ENOSPC: no space left on device')
  }
  const { done } = await start(createBenchHardware(), 0.001, {
    wrap: (parts) => ({ ...parts, journal: { ...parts.journal, write: full } }),
  })
  await bench.platform.send(sn, { id: 'f', name: 'lock' })
  expect((await answered('f', 'failed')).body.error).toContain('no space left')
  expect(done).toEqual([])
})
