import type { Scenario } from './scenario.ts'

/** Everything works and everyone talks: what is measured is the platform. */
export const load: Scenario = { heartbeatSeconds: 10, flapping: 0, shaky: 0, connectsPerSecond: 1000 }
