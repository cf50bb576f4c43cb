import { argsLimits } from '@campanile/contract'
import { sql } from 'kysely'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { startOutbox } from './outbox.fixture.ts'

const outbox = await startOutbox()
const { world, alder, add, give, handed, taken, sent } = outbox

afterAll(() => outbox.stop())
beforeEach(() => outbox.clear())

const named = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${at}`, at]))
const nested = (levels: number): object => (levels === 0 ? {} : { in: nested(levels - 1) })
/** So many bytes of arguments. */
const weighing = (bytes: number) => {
  const bare = JSON.stringify({ payload: { a: '' } }).length
  return { a: 'x'.repeat(bytes - bare) }
}
const tooMuch = {
  'more names than anybody needs': named(argsLimits.names),
  'nearly twice as many': named(1_900),
  'more than a message holds': weighing(argsLimits.bytes + 1),
  'as many characters of three bytes': { a: '桶'.repeat(argsLimits.bytes / 3) },
  'more levels than a device reads': nested(8),
  'a name without end': { ['n'.repeat(129)]: 1 },
  'a number of three hundred digits': { n: 1e300 },
  'a number of three hundred digits behind the point': { n: 5e-324 },
}
const doors = ['task/create', 'task/preview', 'batch/run', 'basic/command']

describe('what people send to devices', () => {
  it.each(Object.entries(tooMuch))('is refused at every door when it is %s', async (_what, payload) => {
    await add(['HP-1'], { online: true })
    for (const door of doors) {
      const order = { command: 'custom', args: { payload }, sns: ['HP-1'] }
      expect(await alder.post(`/api/v3/device/${door}`, order)).toMatchObject({
        code: 93033,
        data: { field: 'args', limit: '63 KiB', names: argsLimits.names },
      })
    }
    expect((await sql`select 1 from device_task`.execute(world.db)).rows).toEqual([])
  })

  it('may have just as much as a message holds', async () => {
    await add(['HP-1'], { online: true })
    expect((await give('custom', { sns: ['HP-1'] }, { payload: weighing(argsLimits.bytes) })).code).toBe(100000)
    expect((await give('custom', { sns: ['HP-1'] }, { payload: named(argsLimits.names - 1) })).code).toBe(100000)
    await sent(2)
    expect(handed[0]?.args).toEqual({ payload: weighing(argsLimits.bytes) })
  })

  it('has at most a hundred settings', async () => {
    await add(['HP-1'])
    const order = (count: number) => give('configure', { sns: ['HP-1'] }, { version: 1, items: named(count) })
    expect(await order(101)).toMatchObject({ code: 100002, data: { field: 'args.items' } })
    expect((await order(100)).code).toBe(100000)
  })
})

describe('a large order to many', () => {
  const fleet = (count: number) => Array.from({ length: count }, (_, at) => `HP-${String(at).padStart(4, '0')}`)

  it('is handed over in steps, with one text for all of a step, and each waits until the one before it was taken', async () => {
    const sns = fleet(600)
    await add(sns, { online: true })
    outbox.holdUp()
    expect((await give('custom', { filter: {} }, { payload: weighing(60 * 1024) })).code).toBe(100000)
    await expect.poll(() => taken.length).toBe(1)
    expect(handed.length).toBeLessThan(sns.length)
    outbox.goOn()
    await sent(sns.length)
    expect(new Set(handed.map(({ sn }) => sn)).size).toBe(sns.length)
    expect(taken.length).toBeGreaterThan(1)
    for (const { texts, bytes } of taken) {
      expect(texts).toBe(1)
      expect(bytes).toBeLessThanOrEqual(16 * 1024 * 1024)
    }
  })

  it('of many orders with different texts takes a few at a time', async () => {
    await add(['HP-1'])
    for (let at = 0; at < 40; at += 1) await give('custom', { sns: ['HP-1'] }, { payload: { at } })
    outbox.arrive('HP-1')
    await sent(40)
    expect(handed.map(({ args }) => (args.payload as { at: number }).at)).toEqual(Array.from(Array(40).keys()))
    for (const { texts } of taken) expect(texts).toBeLessThanOrEqual(32)
  })
})

// Last: afterwards its enterprise has to wait.
it('bounds the bytes of orders in a while, for an enterprise and for nobody else', async () => {
  await add(['HP-1'])
  await add(['HP-2'], { departmentId: world.b.shop })
  const birch = await world.as('birch.admin')
  const args = { payload: weighing(argsLimits.bytes) }
  let given = 0
  let answer = await give('custom', { sns: ['HP-1'] }, args)
  for (; answer.code === 100000 && given < 300; given += 1) answer = await give('custom', { sns: ['HP-1'] }, args)
  expect(answer).toMatchObject({ status: 429, code: 93009, data: { retryAfter: expect.any(Number) } })
  expect(given).toBeGreaterThan(100)
  expect((await give('reboot', { sns: ['HP-1'] })).code).toBe(100000)
  expect((await give('custom', { sns: ['HP-2'] }, args, birch)).code).toBe(100000)
})
