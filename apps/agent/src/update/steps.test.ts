import { reply } from '@campanile/contract/protocol'
import { expect, it } from 'vitest'
import { createIdentityStore } from '../identity.ts'
import { createBenchHardware } from '../test/bench-hardware.ts'
import { sn, useAgents } from '../test/use-agents.ts'
import type { UpdateContext } from './context.ts'

const bench = useAgents()
const { start, answered } = bench
const command = { name: 'installApp', args: { package: 'till', action: 'clearData' } }

/** A machine on which an update goes as far as the test lets it. */
const createUpdating = () => {
  const machine = createBenchHardware()
  let begun: ((update: UpdateContext) => void) | undefined
  let finish = () => {}
  const hardware = {
    ...machine.hardware,
    installApp: (_args: unknown, update: UpdateContext) =>
      new Promise<Record<string, unknown>>((resolve) => {
        finish = () => resolve({})
        begun?.(update)
      }),
  }
  const begins = new Promise<UpdateContext>((resolve) => {
    begun = resolve
  })
  return { bench: { ...machine, hardware }, begins, finish: () => finish() }
}
const stepsOf = (id: string) =>
  bench.platform.heard
    .filter(({ kind, body }) => kind === 'reply' && body.id === id && body.state === 'progress')
    .map(({ body }) => reply.parse(body).step)
const tells = (id: string, step: string) =>
  bench.platform.hears(({ kind, body }) => kind === 'reply' && body.id === id && body.step === step)

it('each step is announced once, over reconnects and restarts, and never a step back', async () => {
  const first = createUpdating()
  const { agent } = await start(first.bench)
  await bench.platform.send(sn, { id: 'u', ...command })
  const update = await first.begins
  update.tell('downloading', 0)
  for (const percent of [1, 2, 3]) update.tell('downloading', percent)
  await tells('u', 'downloading')
  agent.interrupt()
  // Said while nobody listens, it is told after the next connection.
  update.tell('upgrading', 90)
  await tells('u', 'upgrading')
  update.tell('downloading', 95)
  await expect.poll(() => agent.connected).toBe(true)
  expect(stepsOf('u')).toEqual(['downloading', 'upgrading'])
  await agent.stop('ended in the middle')

  const second = createUpdating()
  await start(second.bench)
  await bench.platform.send(sn, { id: 'u', ...command })
  const again = await second.begins
  again.tell('downloading', 0)
  again.tell('upgrading', 90)
  second.finish()
  await answered('u', 'done')
  expect(stepsOf('u')).toEqual(['downloading', 'upgrading'])
})

it('an end that the machine knows is told without being asked for', async () => {
  const first = createUpdating()
  const { agent } = await start(first.bench)
  await bench.platform.send(sn, { id: 'u', ...command })
  await first.begins
  await agent.stop('ended in the middle')
  const second = createUpdating()
  const hardware = { ...second.bench.hardware, updateEnded: async () => ({ error: 'notHealthy: it fell over' }) }
  await start({ ...second.bench, hardware })
  expect((await answered('u', 'failed')).body.error).toBe('notHealthy: it fell over')
})

it('the key is the one given at joining, or the first that the server gives', async () => {
  const first = createUpdating()
  const identities = createIdentityStore(bench.folder)
  const joined = await identities.load()
  expect(joined?.releaseKey).toBe(bench.platform.releaseKey)
  const { releaseKey: _given, ...without } = joined ?? expect.fail()
  await identities.save(without)
  await start(first.bench)
  await bench.platform.send(sn, { id: 'u', ...command })
  const update = await first.begins
  expect(await update.releaseKey()).toBe(bench.platform.releaseKey)
  expect((await identities.load())?.releaseKey).toBe(bench.platform.releaseKey)
})
