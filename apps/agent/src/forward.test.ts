import { event, hello, state } from '@campanile/contract/protocol'
import { expect, it } from 'vitest'
import { createBenchHardware } from './test/bench-hardware.ts'
import type { Heard } from './test/platform.ts'
import { useAgents } from './test/use-agents.ts'

const bench = useAgents()
const { start } = bench
const years = 56 * 365 * 86_400_000

const states = () => bench.platform.heard.filter(({ kind }) => kind === 'state').map(({ body }) => body)
const levels = () => states().flatMap(({ battery }) => (typeof battery === 'number' ? [battery] : []))
const times = (all: readonly { readonly ts?: unknown }[]) => all.map(({ ts }) => ts as number)
const soon = { timeout: 20_000 }

/** Measures each of these values while nobody listens. */
const measureApart = async (machine: ReturnType<typeof createBenchHardware>, values: readonly number[]) => {
  for (const battery of values) {
    machine.values.battery = battery
    const seen = machine.measured()
    await expect.poll(() => machine.measured(), soon).toBeGreaterThan(seen + 1)
  }
}

it('keeps what it measures while nobody listens and tells it afterwards: live values first, the rest in order', async () => {
  const machine = createBenchHardware()
  const { agent } = await start(machine)
  await bench.platform.hears(({ kind }) => kind === 'state')
  await bench.platform.shut()
  await expect.poll(() => agent.connected, soon).toBe(false)
  await measureApart(machine, [70, 60, 50])
  bench.platform.heard.length = 0
  const back = Date.now()
  await bench.platform.open()
  // The line may have gone a moment before it was noticed: then what stood at first (80) was measured once more.
  await expect.poll(() => levels().filter((level) => level !== 80), soon).toEqual([50, 70, 60, 50])
  const [live, ...late] = states()
  expect(live).toMatchObject({ battery: 50, cpu: 5 })
  expect(Number(live?.ts)).toBeGreaterThanOrEqual(back)
  expect(times(late)).toEqual([...times(late)].sort((one, other) => one - other))
  for (const each of late) expect(state.parse(each)).toEqual(each)
  expect(Math.max(...times(late))).toBeLessThan(back)
})

it('has it still after a kill, tells events once more under the same id, and only what was not taken', async () => {
  const machine = createBenchHardware()
  const { agent } = await start(machine)
  await bench.platform.hears(({ kind }) => kind === 'state')
  await bench.platform.shut()
  await expect.poll(() => agent.connected, soon).toBe(false)
  machine.happen({ id: 'door-1', ts: Date.now(), type: 'doorOpened' })
  await measureApart(machine, [70, 60])
  await agent.stop('killed')
  await bench.platform.open()
  bench.platform.heard.length = 0
  const again = createBenchHardware()
  const second = await start(again)
  await expect.poll(() => levels().filter((level) => level !== 80), soon).toEqual([70, 60])
  expect(levels()[0]).toBe(80)
  const told = await bench.platform.hears(({ kind }) => kind === 'event')
  expect(event.parse(told.body)).toMatchObject({ id: 'door-1', type: 'doorOpened' })
  await second.agent.stop('killed')
  bench.platform.heard.length = 0
  await start(createBenchHardware())
  await bench.platform.hears(({ kind }) => kind === 'state')
  await new Promise((resolve) => setTimeout(resolve, 600))
  expect([levels(), bench.platform.heard.some(({ kind }) => kind === 'event')]).toEqual([[80], false])
})

it('keeps a value that was under way when the line broke', async () => {
  const machine = createBenchHardware()
  let swallow = false
  await start(machine, 0.001, {
    wrap: (parts) => ({
      ...parts,
      open: async (...args) => {
        const link = await parts.open(...args)
        return {
          ...link,
          publish: (topic, payload) =>
            swallow && topic.endsWith('/state')
              ? new Promise((_, reject) => setTimeout(reject, 200, new Error('gone')))
              : link.publish(topic, payload),
        }
      },
    }),
  })
  await bench.platform.hears(({ kind }) => kind === 'state')
  swallow = true
  machine.values.battery = 33
  const seen = machine.measured()
  await expect.poll(() => machine.measured(), soon).toBeGreaterThan(seen + 6)
  machine.values.battery = 32
  swallow = false
  bench.platform.cut()
  await expect.poll(levels, soon).toContain(33)
})

it('is told at once of what happens while old things are still being told', async () => {
  const machine = createBenchHardware()
  await start(machine, 0.001, {
    wrap: (parts) => {
      const now = Date.now()
      for (let at = 0; at < 50; at += 1)
        void parts.backlog.add({ kind: 'state', moment: { ts: now - at }, body: { cpu: at } })
      // Long pauses between few, short ones between looks.
      return { ...parts, random: () => 1_000, heartbeatSeconds: 0.0001 }
    },
  })
  await expect.poll(() => states().length, soon).toBeGreaterThan(10)
  machine.happen({ id: 'alarm', ts: Date.now(), type: 'alarm', level: 'critical' })
  await bench.platform.hears(({ kind, body }) => kind === 'event' && body.id === 'alarm')
})

it('does not tell what is older than anybody wants, and says how much that was', async () => {
  const day = 86_400_000
  let now = Date.now()
  const { agent } = await start(createBenchHardware(), 0.001, {
    own: () => now,
    wrap: (parts) => {
      void parts.backlog.add({ kind: 'state', moment: { ts: now - 31 * day }, body: { cpu: 1 } })
      void parts.backlog.add({ kind: 'state', moment: { ts: now - 29 * day }, body: { cpu: 2 } })
      parts.clock.learn(now)
      return parts
    },
  })
  await expect.poll(() => states().some(({ cpu }) => cpu === 2), soon).toBe(true)
  const { body } = await bench.platform.hears(({ kind }) => kind === 'event')
  expect(event.parse(body)).toMatchObject({ type: 'backlogLost', data: { states: 1, events: 0 } })
  expect(states().some(({ cpu }) => cpu === 1)).toBe(false)
  now += 1
  await agent.stop('over')
})

const isNow = ({ body }: Heard) => Math.abs(Number(body.ts) - Date.now()) < 60_000

it('stamps with the server’s time when its own clock was never set, and tells what its own shows', async () => {
  const machine = createBenchHardware()
  await start(machine, 0.001, { own: () => Date.now() - years, askTime: true })
  const first = await bench.platform.hears(({ kind }) => kind === 'hello')
  expect(hello.parse(first.body).ts).toBeLessThan(Date.now() - years + 60_000)
  // What is told before the server has answered is left to the server.
  expect(isNow(await bench.platform.hears(({ kind, body }) => kind === 'state' && 'ts' in body))).toBe(true)
  machine.happen({ id: 'door-2', ts: Date.now() - years, type: 'doorOpened' })
  expect(isNow(await bench.platform.hears(({ kind }) => kind === 'event'))).toBe(true)
})

it('does commands although its clock runs years ahead', async () => {
  const { done } = await start(createBenchHardware(), 0.001, { own: () => Date.now() + years, askTime: true })
  await bench.platform.send('BENCH-1', { id: 'l', name: 'lock' })
  await bench.answered('l', 'done')
  expect(done).toEqual(['lock'])
})

it('leaves the time to the server when it has none and cannot ask', async () => {
  await start(createBenchHardware(), 0.001, {
    own: () => Date.now() - years,
    askTime: true,
    wrap: (parts) => ({
      ...parts,
      reach: async () => {
        throw new Error('no answer')
      },
    }),
  })
  const { body } = await bench.platform.hears(({ kind }) => kind === 'state')
  expect(body).toEqual({ battery: 80, cpu: 5 })
})
