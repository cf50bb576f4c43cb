import type { Scenario } from './scenario.ts'

/** A fleet as it is on an ordinary day. */
export const living: Scenario = { heartbeatSeconds: 20, flapping: 0.03, shaky: 0.06, connectsPerSecond: 100 }
