import { flapping } from './flapping.ts'
import { living } from './living.ts'
import { load } from './load.ts'
import { storm } from './storm.ts'

export type { Scenario } from './scenario.ts'
export const scenarios = { living, load, storm, flapping }
export type ScenarioName = keyof typeof scenarios
