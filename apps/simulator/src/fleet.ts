import {
  type Agent,
  askReleaseKey,
  createAgent,
  createClock,
  createMemoryBacklog,
  createMemoryJournal,
  type Identity,
  join,
  type OpenLink,
  reach,
  type Timers,
} from '@campanile/agent'
import type { Credential } from './credentials.ts'
import { createSimulatedHardware } from './hardware.ts'
import { between, createRandom, seedOf } from './random.ts'
import type { Scenario } from './scenarios/index.ts'
import type { FetchSmall } from './small-fetch.ts'
import { temperOf } from './temper.ts'
import { ordinaryMix, type UpdateMix } from './updates.ts'

export interface FleetParts {
  readonly credentials: readonly Credential[]
  readonly scenario: Scenario
  readonly heartbeatSeconds: number
  readonly seed: number
  readonly timers: Timers
  readonly open: OpenLink
  readonly log: (sn: string, line: string) => void
  /** What becomes of devices that are updated; where it is not said, everything goes well or as on an ordinary day. */
  readonly updateMix?: UpdateMix | undefined
  readonly fetchSmall?: FetchSmall | undefined
}

/** An hour or so of what a device measures while its network is away. */
const keptMost = 100

/** Many agents in one process, each with simulated hardware and its own stream of chance. */
export const createFleet = (parts: FleetParts) => {
  const { credentials, scenario, heartbeatSeconds, seed, timers, open, log } = parts
  const mix = parts.updateMix ?? (scenario.shaky > 0 ? ordinaryMix : {})
  const agents = new Map<string, Agent>()
  const random = createRandom(seed)
  let running = false

  const create = (credential: Credential): Agent => {
    const { sn, type, model, password, mqttUrl, serverUrl } = credential
    const { chance, failing, isFlapping } = temperOf(seed, sn, scenario)
    const reboot = () => {
      void agent.stop('reboot')
      timers.after(between(chance, 15_000, 45_000), () => {
        if (running && agents.has(sn)) void agent.start()
      })
    }
    const leave = (ms?: number) => {
      // Its network is gone before it could say goodbye.
      agent.interrupt()
      void agent.stop('lost')
      if (ms === undefined) return
      timers.after(ms, () => {
        if (running && agents.has(sn)) void agent.start()
      })
    }
    const updates = { seed, mix, leave, fetchSmall: parts.fetchSmall }
    const identity: Identity = { sn, username: sn, password, mqttUrl, serverUrl }
    const agent = createAgent({
      identity,
      identities: { load: async () => identity, save: async () => undefined, forget: async () => undefined },
      hardware: createSimulatedHardware({ sn, type, model, random: chance, timers, failing, reboot, updates }),
      journal: createMemoryJournal(timers.now),
      backlog: createMemoryBacklog(keptMost),
      keepDays: 30,
      clock: createClock({ own: timers.now, uptime: timers.now, boot: sn }),
      open,
      join,
      reach,
      askReleaseKey,
      // Its clock is this machine's, and thousands would ask at once.
      askTime: false,
      timers,
      // A stream of its own: how often it had to reconnect must not change what it measures.
      random: createRandom(seedOf(seed, `${sn} link`)),
      log: (line) => log(sn, line),
      heartbeatSeconds,
      forgotten: () => agents.delete(sn),
    })
    if (isFlapping) flap(agent, createRandom(seedOf(seed, `${sn} flap`)))
    return agent
  }

  const flap = (agent: Agent, chance: () => number) => {
    const drop = () => {
      if (!running) return
      agent.interrupt()
      timers.after(between(chance, 8_000, 60_000), drop)
    }
    timers.after(between(chance, 30_000, 120_000), drop)
  }

  return {
    /** At the scenario's pace: a fleet does not switch on within one moment. */
    start: () => {
      running = true
      credentials.forEach((credential, at) => {
        const agent = create(credential)
        agents.set(credential.sn, agent)
        timers.after((1000 * at) / scenario.connectsPerSecond, () => {
          if (running) void agent.start()
        })
      })
      scenario.direct?.({
        timers,
        random,
        interrupt: (share) => {
          for (const agent of agents.values()) if (random() < share) agent.interrupt()
        },
      })
    },
    stop: async () => {
      running = false
      await Promise.all([...agents.values()].map((agent) => agent.stop('stopped')))
    },
    figures: () => {
      let connected = 0
      for (const agent of agents.values()) if (agent.connected) connected += 1
      return { devices: agents.size, connected }
    },
  }
}
