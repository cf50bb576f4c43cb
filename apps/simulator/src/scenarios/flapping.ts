import { living } from './living.ts'
import type { Scenario } from './scenario.ts'

/** A fifth of the fleet stands where the network is bad. */
export const flapping: Scenario = { ...living, flapping: 0.2 }
