import { expect, it } from 'vitest'
import type { AgentParts } from './agent.ts'
import { createIdentityStore, type IdentityStore } from './identity.ts'
import { createBenchHardware } from './test/bench-hardware.ts'
import type { Platform } from './test/platform.ts'
import { sn, useAgents } from './test/use-agents.ts'

const bench = useAgents()
const { start, answered, answersTo, newPlatform } = bench
const hellos = (at: Platform) => at.heard.filter(({ kind }) => kind === 'hello').length
/** The same server, by the name a person would rather use. */
const otherName = ({ serverUrl }: Platform) => serverUrl.replace('127.0.0.1', 'localhost')
const switchTo = (id: string, args: object) => bench.platform.send(sn, { id, name: 'switchServer', args })
const quiet = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

it('goes to another name of the same server and stays there, on one connection', async () => {
  const { agent, identities } = await start()
  await switchTo('s', { serverUrl: otherName(bench.platform) })
  await answered('s', 'done')
  expect(await identities.load()).toMatchObject({ serverUrl: otherName(bench.platform), sn })
  expect((await identities.load())?.previous).toBeUndefined()
  await expect.poll(() => agent.connected).toBe(true)
  await expect.poll(() => bench.platform.connections).toBe(1)
  const before = hellos(bench.platform)
  await quiet(1_000)
  expect(hellos(bench.platform)).toBe(before)
  expect([agent.connected, bench.platform.connections]).toEqual([true, 1])
})

it('does so with a code too, which ends the old credential in the middle of it', async () => {
  const { agent } = await start()
  bench.platform.codes.add('again')
  await switchTo('s', { serverUrl: otherName(bench.platform), code: 'again' })
  await answered('s', 'done')
  await expect.poll(() => agent.connected).toBe(true)
  const before = hellos(bench.platform)
  await quiet(500)
  expect([hellos(bench.platform), bench.platform.connections]).toEqual([before, 1])
})

it('stays where only one of the two addresses answers, and says which does not', async () => {
  const { agent, identities } = await start()
  const before = hellos(bench.platform)
  // The broker is reached by that name as well; no server is.
  await switchTo('h', { serverUrl: 'http://localhost:1' })
  expect((await answered('h', 'failed')).body.error).toMatch(
    /^stayed on http.*: http:\/\/localhost:1 does not answer: /,
  )
  const other = await newPlatform()
  await switchTo('m', { serverUrl: other.serverUrl.replace('127.0.0.1', '127.0.0.2') })
  expect((await answered('m', 'failed')).body.error).toMatch(/^stayed on http/)
  expect(await identities.load()).toMatchObject({ serverUrl: bench.platform.serverUrl })
  expect((await identities.load())?.previous).toBeUndefined()
  expect([agent.connected, hellos(bench.platform)]).toEqual([true, before])
})

it('stays when the code is good and the broker that comes with it is dead', async () => {
  const other = await newPlatform()
  other.codes.add('new')
  const join: AgentParts['join'] = async () => ({
    serverUrl: other.serverUrl,
    username: sn,
    password: 'new',
    mqttUrl: 'mqtt://127.0.0.1:1',
  })
  const { agent, identities } = await start(createBenchHardware(), 0.001, { wrap: (parts) => ({ ...parts, join }) })
  await switchTo('d', { serverUrl: other.serverUrl, code: 'new' })
  expect((await answered('d', 'failed')).body.error).toContain('mqtt://127.0.0.1:1 does not take this device')
  await expect.poll(() => agent.connected).toBe(true)
  await expect.poll(async () => (await identities.load())?.previous).toBeUndefined()
  expect(await identities.load()).toMatchObject({ serverUrl: bench.platform.serverUrl })
})

it('is in no hurry when neither of two servers will have it', async () => {
  const other = await newPlatform()
  const identities = createIdentityStore(bench.folder)
  const here = await identities.load()
  if (!here) throw new Error('no identity')
  const { serverUrl, mqttUrl } = other
  await identities.save({ ...here, previous: { serverUrl, mqttUrl, username: sn, password: 'none' } })
  bench.platform.passwords.delete(sn)
  const waits: number[] = []
  await start(createBenchHardware(), 1, {
    wrap: (parts) => ({
      ...parts,
      heartbeatSeconds: 1_000,
      timers: {
        ...parts.timers,
        after: (ms, what) => {
          if (ms >= 1_000_000) return () => {}
          waits.push(ms)
          return waits.length < 8 ? parts.timers.after(1, what) : () => {}
        },
      },
    }),
  })
  await expect.poll(() => waits.length).toBe(8)
  expect(waits[0]).toBeLessThanOrEqual(2_000)
  expect(waits.slice(1)).toEqual(waits.slice(1).map(() => 300_000))
})

/** An agent whose machine loses its power at the given step of what it does to the world; the steps of a switch are few. */
const dyingAt = (step: number) => {
  let at = 0
  let isDead = false
  const dead = new Promise<never>(() => {})
  const passes = () => {
    if (armed) at += 1
    if (armed && at >= step) isDead = true
    return !isDead
  }
  let armed = false
  const wrap = (parts: AgentParts): AgentParts => {
    const identities: IdentityStore = {
      ...parts.identities,
      save: async (identity) => {
        if (!passes()) return dead
        await parts.identities.save(identity)
        if (!passes()) return dead
      },
    }
    return {
      ...parts,
      identities,
      join: async (...args) => {
        if (!passes()) return dead
        const found = await parts.join(...args)
        return passes() ? found : dead
      },
      open: async (options, handlers) => {
        if (!passes()) return dead
        const link = await parts.open(options, handlers)
        if (passes()) return link
        link.drop()
        return dead
      },
    }
  }
  return { wrap, arm: () => (armed = true), isDead: () => isDead, steps: () => at }
}

it.each([
  ['another server', false],
  ['the same server by another name', true],
])(
  'killed at any step of the way to %s it connects to one of the two',
  async (_where, isSame) => {
    let isOver = false
    for (let step = 1; !isOver; step += 1) {
      expect(step).toBeLessThan(30)
      const other = isSame ? bench.platform : await newPlatform()
      const id = `s${step}`
      other.codes.add(`code ${step}`)
      const death = dyingAt(step)
      const first = await start(createBenchHardware(), 0.001, { wrap: death.wrap })
      await expect.poll(() => first.agent.connected).toBe(true)
      death.arm()
      const serverUrl =
        isSame && bench.platform.serverUrl === (await first.identities.load())?.serverUrl
          ? otherName(other)
          : other.serverUrl
      await switchTo(id, { serverUrl, code: `code ${step}` })
      await expect.poll(() => death.isDead() || answersTo(id).some((word) => word !== 'acknowledged')).toBe(true)
      isOver = !death.isDead()
      first.agent.interrupt()
      await first.agent.stop('power cut')
      for (const at of [bench.platform, other]) at.heard.length = 0
      const second = await start()
      await expect.poll(() => second.agent.connected).toBe(true)
      await expect.poll(() => hellos(bench.platform) + hellos(other)).toBeGreaterThan(0)
      await expect.poll(async () => (await second.identities.load())?.previous).toBeUndefined()
      expect((await createIdentityStore(bench.folder).load())?.joining).toBeUndefined()
      await second.agent.stop('next')
      // Back to where it began.
      bench.platform.codes.add(`back ${step}`)
      if (!isSame) {
        const { join } = await import('./join.ts')
        const home = await join(bench.platform.serverUrl, { sn, code: `back ${step}` })
        const { privateKey } = (await second.identities.load()) ?? {}
        await second.identities.save({ sn, ...home, ...(privateKey ? { privateKey } : {}) })
      }
    }
  },
  60_000,
)
