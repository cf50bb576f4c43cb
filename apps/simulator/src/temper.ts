import { createRandom, seedOf } from './random.ts'
import type { Scenario } from './scenarios/index.ts'

const usuallyFailing = 0.01
const shakyFailing = 0.4

/** What chance has made of a device: drawn first and in this order, so that it is the same in every run. */
export const temperOf = (seed: number, sn: string, scenario: Scenario) => {
  const chance = createRandom(seedOf(seed, sn))
  const failing = chance() < scenario.shaky ? shakyFailing : scenario.shaky > 0 ? usuallyFailing : 0
  const isFlapping = chance() < scenario.flapping
  return { chance, failing, isFlapping }
}
