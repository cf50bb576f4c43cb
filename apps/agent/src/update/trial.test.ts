import { rm } from 'node:fs/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { newFolder } from './test/folder.ts'
import { createTrials, type Place } from './trial.ts'

let folder: string
beforeEach(async () => {
  folder = await newFolder('trial')
})
afterEach(() => rm(folder, { recursive: true }))

let tellKilled = () => {}
/** Never settles: the agent was killed there. */
const killed = () => {
  tellKilled()
  return new Promise<never>(() => undefined)
}

/** A machine with two versions, whose agent is killed at the given step of those it takes. */
const createMachine = (isWell: (version: string) => boolean, startsMachine = false) => {
  let inUse: string | undefined = 'old'
  let running: string | undefined = 'old'
  let steps = 0
  let boots = 0
  const placeOf = (killAt: number): Place => {
    const step = async (when: 'before' | 'after', what: () => void) => {
      steps += 1
      if (steps === killAt && when === 'before') return killed()
      what()
      if (steps === killAt) return killed()
    }
    return {
      startsMachine,
      point: async (to) => {
        await step('before', () => undefined)
        await step('after', () => {
          inUse = to
        })
      },
      start: async () => {
        await step('before', () => undefined)
        await step('after', () => {
          running = inUse
          if (startsMachine) boots += 1
        })
        if (startsMachine) await killed()
      },
      check: async () => {
        await step('before', () => undefined)
        if (running !== inUse) throw new Error('another version runs than the one in use')
        if (!isWell(running ?? '')) throw new Error('notHealthy: it is not well')
      },
    }
  }
  return {
    placeOf,
    boot: () => `boot ${boots}`,
    get inUse() {
      return inUse
    },
    get running() {
      return running
    },
    restartSteps: () => {
      steps = 0
    },
  }
}

/** As far as it comes: to its end, or to where the agent was killed. */
const goesOn = (what: Promise<unknown>) =>
  Promise.race([
    what.catch(() => undefined),
    new Promise<void>((resolve) => {
      tellKilled = resolve
    }),
  ])

describe.each([
  ['a service', false],
  ['a machine that starts anew', true],
])('%s', (_, startsMachine) => {
  it.each([
    ['well', true],
    ['not well', false],
  ])(
    'is on the old or the new version wherever the agent is killed, and ends where it should: %s',
    async (_, isWell) => {
      for (let killAt = 1; killAt <= 12; killAt += 1) {
        const machine = createMachine((version) => version === 'old' || isWell, startsMachine)
        const agent = () => createTrials(folder, machine.boot(), () => undefined)
        const id = `command ${killAt}`
        await goesOn(agent().change('it', machine.placeOf(killAt), { id, from: 'old', to: 'new' }))
        expect(['old', 'new']).toContain(machine.inUse)
        // Killed once more at the same step of the recovery, then left in peace.
        for (const again of [killAt, 0, 0, 0]) {
          machine.restartSteps()
          await goesOn(agent().recover(() => machine.placeOf(again)))
          expect(['old', 'new']).toContain(machine.inUse)
        }
        const end = await agent().ended(id)
        expect([killAt, machine.inUse, machine.running, end?.phase]).toEqual(
          isWell && end?.phase === 'confirmed'
            ? [killAt, 'new', 'new', 'confirmed']
            : [killAt, 'old', 'old', 'returned'],
        )
        if (!isWell) expect(end?.reason).toContain('notHealthy')
      }
    },
  )
})

it('a version that ends the agent each time it is tried is given up', async () => {
  const machine = createMachine(() => true)
  const place = { ...machine.placeOf(0), check: killed }
  const agent = () => createTrials(folder, 'boot', () => undefined)
  await goesOn(agent().change('it', place, { id: '1', from: 'old', to: 'new' }))
  for (let start = 1; start <= 3; start += 1) {
    await goesOn(agent().recover(() => place))
    expect(machine.inUse).toBe('new')
  }
  await agent().recover(() => place)
  expect(machine.inUse).toBe('old')
  expect(await agent().ended('1')).toMatchObject({
    phase: 'returned',
    reason: expect.stringContaining('installFailed'),
  })
})
