import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join as joinPath } from 'node:path'
import { event, hello, reply, state } from '@campanile/contract/protocol'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type Agent, createAgent } from './agent.ts'
import { createIdentityStore } from './identity.ts'
import { join } from './join.ts'
import { openJournal } from './journal.ts'
import { openMqtt } from './link/mqtt.ts'
import { createBenchHardware } from './test/bench-hardware.ts'
import { type Platform, startPlatform } from './test/platform.ts'
import { systemTimers } from './timers.ts'

const sn = 'BENCH-1'
let platform: Platform
let folder: string
const running = new Set<Agent>()
const platforms = new Set<Platform>()

const newPlatform = async () => {
  const fresh = await startPlatform()
  platforms.add(fresh)
  return fresh
}
beforeEach(async () => {
  folder = await mkdtemp(joinPath(tmpdir(), 'agent-'))
  platform = await newPlatform()
  platform.codes.add('code')
  await createIdentityStore(folder).save({ sn, ...(await join(platform.serverUrl, { sn, code: 'code' })) })
})
afterEach(async () => {
  for (const agent of running) await agent.stop('test over')
  for (const each of platforms) await each.close()
  running.clear()
  platforms.clear()
  await rm(folder, { recursive: true })
})

/** As `run` does, on a workbench; the share of the longest wait between connections is given. */
const start = async (bench = createBenchHardware(), share = 0.001) => {
  const identities = createIdentityStore(folder)
  const identity = await identities.load()
  if (!identity) throw new Error('no identity')
  let forgotten = false
  const agent = createAgent({
    identity,
    identities,
    hardware: bench.hardware,
    journal: await openJournal(folder, Date.now),
    open: openMqtt,
    join,
    timers: systemTimers,
    random: () => share,
    log: () => {},
    heartbeatSeconds: 0.05,
    forgotten: () => {
      forgotten = true
    },
  })
  running.add(agent)
  await agent.start()
  return { agent, ...bench, identities, isForgotten: () => forgotten }
}
const answered = (id: string, word: string, at = platform) =>
  at.hears(({ kind, body }) => kind === 'reply' && body.id === id && body.state === word)
const answersTo = (id: string, at = platform) =>
  at.heard.filter(({ kind, body }) => kind === 'reply' && body.id === id).map(({ body }) => body.state)

it('keeps its identity where nobody else can read it', async () => {
  expect((await stat(joinPath(folder, 'identity.json'))).mode & 0o777).toBe(0o600)
})

it('is told why a code does not let it in', async () => {
  await expect(join(platform.serverUrl, { sn, code: 'wrong' })).rejects.toThrow('no such code (204033)')
  await expect(join(platform.serverUrl, { sn: 'a/b', code: 'x' })).rejects.toThrow('no serial number')
  await expect(join('http://127.0.0.1:1', { sn, code: 'x' })).rejects.toThrow('does not answer')
})

it('says who it is, then its values, then only what has changed', async () => {
  const { values } = await start()
  const first = await platform.hears(({ kind }) => kind === 'state')
  expect(platform.heard[0]?.kind).toBe('hello')
  expect(hello.parse(platform.heard[0]?.body)).toMatchObject({ model: 'Bench', type: 14 })
  expect(platform.heard[0]?.body.capabilities).toContain('reboot')
  expect(platform.heard[0]?.body.capabilities).not.toContain('kioskOn')
  expect(first.body).toMatchObject({ battery: 80, cpu: 5 })
  values.battery = 79
  const second = await platform.hears(({ kind, body }) => kind === 'state' && body.battery === 79)
  expect(state.parse(second.body)).toEqual(second.body)
  expect(Object.keys(second.body).sort()).toEqual(['battery', 'ts'])
})

it('leaves a will that says it was lost, and a word of its own when it leaves by itself', async () => {
  const { agent } = await start(createBenchHardware(), 0.2)
  agent.interrupt()
  await platform.hears(({ kind, body }) => kind === 'bye' && body.reason === 'lost')
  await expect.poll(() => agent.connected).toBe(true)
  await agent.stop('stopped')
  await platform.hears(({ kind, body }) => kind === 'bye' && body.reason === 'stopped')
})

it('comes back by itself and tells everything anew', async () => {
  await start()
  await platform.hears(({ kind }) => kind === 'state')
  platform.heard.length = 0
  platform.cut()
  await platform.hears(({ kind }) => kind === 'hello')
  expect((await platform.hears(({ kind }) => kind === 'state')).body).toMatchObject({ battery: 80, cpu: 5 })
})

it('acknowledges a command, does it and answers', async () => {
  const { done } = await start()
  await platform.send(sn, { id: '1', name: 'restartApp', args: { package: 'org.example.app' } })
  const answer = await answered('1', 'done')
  expect(answersTo('1')).toEqual(['acknowledged', 'done'])
  expect(reply.parse(answer.body)).toEqual({ id: '1', state: 'done', result: {} })
  expect(done).toEqual(['restart org.example.app'])
})

it('reports at once what a command has changed', async () => {
  await start()
  await platform.send(sn, { id: '1', name: 'lock' })
  await platform.hears(({ kind, body }) => kind === 'state' && body.locked === true)
})

it('tells who it is and all its values anew when it is asked to report', async () => {
  await start()
  const told = await platform.hears(({ kind }) => kind === 'state')
  platform.heard.length = 0
  await platform.send(sn, { id: 'r', name: 'report' })
  await answered('r', 'done')
  await platform.hears(({ kind, body }) => kind === 'hello' && Array.isArray(body.capabilities))
  const again = await platform.hears(({ kind }) => kind === 'state')
  expect(Object.keys(again.body).sort()).toEqual(Object.keys(told.body).sort())
})

it('answers a repeated id again and does nothing again, also after a restart', async () => {
  const { done, agent } = await start()
  await platform.send(sn, { id: '7', name: 'message', args: { title: '', text: 'hi' } })
  await answered('7', 'done')
  platform.heard.length = 0
  await platform.send(sn, { id: '7', name: 'message', args: { title: '', text: 'hi' } })
  await answered('7', 'done')
  await agent.stop('restart')
  platform.heard.length = 0
  const again = await start()
  await platform.send(sn, { id: '7', name: 'message', args: { title: '', text: 'hi' } })
  await answered('7', 'done')
  expect([...done, ...again.done]).toEqual(['show hi'])
})

it('begins a command once when it comes many times at once', async () => {
  const { done } = await start()
  await Promise.all(Array.from({ length: 20 }, () => platform.send(sn, { id: '8', name: 'lock' })))
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
  await platform.send(sn, { id: 'x', ...message })
  expect((await answered('x', 'failed')).body.error).toMatch(reason)
  expect(done).toEqual([])
})

it('says what the machine cannot do', async () => {
  await start()
  const args = { mode: 'single', packages: ['app'], exitPassword: 'secret1', statusBar: false, homeKey: false }
  await platform.send(sn, { id: 'k', name: 'kioskOn', args })
  expect((await answered('k', 'failed')).body.error).toBe('not supported: there is no kiosk on a workbench')
})

it('uploads files to the address and with the token of the command', async () => {
  await start()
  const upload = { url: '/device/v1/upload/42', token: 'once' }
  await platform.send(sn, { id: 'u', name: 'uploadLog', args: { type: 'crash' }, upload })
  const { body } = await answered('u', 'done')
  expect(body.result).toMatchObject({ name: 'crash.txt', bytes: 13 })
  expect(platform.uploads).toEqual([{ path: upload.url, token: 'once', body: Buffer.from('the crash log') }])
})

it('answers a reboot when the machine is back, and not before', async () => {
  const { done, agent } = await start(createBenchHardware('monday'))
  await platform.send(sn, { id: 'r', name: 'reboot' })
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
  await platform.send(sn, { id: 'r', name: 'reboot' })
  await answered('r', 'acknowledged')
  await agent.stop('killed')
  await start(createBenchHardware('monday'))
  expect((await answered('r', 'failed')).body.error).toMatch(/stopped while doing it/)
})

it('tells an answer after the next connection when it could not be told before', async () => {
  const bench = createBenchHardware()
  let release = () => {}
  bench.hardware.show = () =>
    new Promise((resolve) => {
      release = () => resolve({})
    })
  const { agent } = await start(bench, 0.2)
  await platform.send(sn, { id: 'm', name: 'message', args: { title: '', text: 'slow' } })
  await answered('m', 'acknowledged')
  agent.interrupt()
  release()
  expect(agent.connected).toBe(false)
  await answered('m', 'done')
})

it('forgets who it is only after it has said that it is wiped', async () => {
  const { identities, isForgotten, done } = await start()
  await platform.send(sn, { id: 'w', name: 'wipe' })
  await answered('w', 'done')
  await platform.hears(({ kind, body }) => kind === 'bye' && body.reason === 'wiped')
  await expect.poll(isForgotten).toBe(true)
  expect(await identities.load()).toBeUndefined()
  expect(done).toEqual(['wipe'])
})

it('moves to a new server when that has taken it', async () => {
  const other = await newPlatform()
  other.codes.add('new code')
  const { identities } = await start()
  await platform.send(sn, { id: 's', name: 'switchServer', args: { serverUrl: other.serverUrl, code: 'new code' } })
  await answered('s', 'done')
  await other.hears(({ kind }) => kind === 'hello')
  await expect.poll(async () => (await identities.load())?.previous).toBeUndefined()
  expect(await identities.load()).toMatchObject({ serverUrl: other.serverUrl, mqttUrl: other.mqttUrl })
})

it('stays where it is when the new server refuses the code or its broker does not answer', async () => {
  const other = await newPlatform()
  const { identities } = await start()
  await platform.send(sn, { id: 'a', name: 'switchServer', args: { serverUrl: other.serverUrl, code: 'wrong' } })
  expect((await answered('a', 'failed')).body.error).toContain('no such code')
  // No code: the same credential, and there is no broker at that address.
  await platform.send(sn, { id: 'b', name: 'switchServer', args: { serverUrl: 'http://127.0.0.2:1' } })
  expect((await answered('b', 'failed')).body.error).toContain(`stayed on ${platform.serverUrl}`)
  expect(await identities.load()).toMatchObject({ serverUrl: platform.serverUrl })
})

it('falls back to the old server when the new one is gone after the move', async () => {
  const other = await newPlatform()
  other.codes.add('new code')
  const moved = await join(other.serverUrl, { sn, code: 'new code' })
  const identities = createIdentityStore(folder)
  const old = await identities.load()
  if (!old) throw new Error('no identity')
  const { sn: _sn, ...previous } = old
  await identities.save({ sn, ...moved, previous })
  await other.close()
  platforms.delete(other)
  await start()
  await platform.hears(({ kind }) => kind === 'hello')
  const told = await platform.hears(({ kind }) => kind === 'event')
  expect(event.parse(told.body)).toMatchObject({ type: 'serverFallback', level: 'major' })
  expect(await identities.load()).toMatchObject({ serverUrl: platform.serverUrl })
})
