import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join as joinPath } from 'node:path'
import { afterEach, beforeEach } from 'vitest'
import { type Agent, type AgentParts, createAgent } from '../agent.ts'
import { openBacklog } from '../backlog-file.ts'
import { createClock } from '../clock.ts'
import { createIdentityStore, keyForJoining } from '../identity.ts'
import { askReleaseKey, join, reach } from '../join.ts'
import { openJournal } from '../journal.ts'
import { openMqtt } from '../link/mqtt.ts'
import { systemTimers } from '../timers.ts'
import { createBenchHardware } from './bench-hardware.ts'
import { type Platform, startPlatform } from './platform.ts'

export const sn = 'BENCH-1'

export interface StartOptions {
  /** What the machine's own clock shows. */
  readonly own?: () => number
  readonly askTime?: boolean
  readonly wrap?: (parts: AgentParts) => AgentParts
}

/** A platform and a folder for each test, joined; agents that end with it. */
export const useAgents = () => {
  let platform: Platform
  let folder: string
  const running = new Set<Agent>()
  const platforms = new Set<Platform>()

  const newPlatform = async () => {
    const fresh = await startPlatform()
    platforms.add(fresh)
    return fresh
  }
  beforeEach(async () => {
    folder = await mkdtemp(joinPath(tmpdir(), 'agent-'))
    platform = await newPlatform()
    platform.codes.add('code')
    const { privateKey, forget } = await keyForJoining(folder)
    const membership = await join(platform.serverUrl, { sn, code: 'code', privateKey })
    await createIdentityStore(folder).save({ sn, ...membership, privateKey })
    await forget()
  })
  afterEach(async () => {
    for (const agent of running) await agent.stop('test over')
    for (const each of platforms) await each.close()
    running.clear()
    platforms.clear()
    // An agent that was stopped may still be noting down its last word.
    await rm(folder, { recursive: true, maxRetries: 10, retryDelay: 50 })
  })

  /** As `run` does, on a workbench; the share of the longest wait between connections is given. */
  const start = async (bench = createBenchHardware(), share = 0.001, options: StartOptions = {}) => {
    const { own = Date.now, askTime = false, wrap = (parts: AgentParts) => parts } = options
    const identities = createIdentityStore(folder)
    const identity = await identities.load()
    if (!identity) throw new Error('no identity')
    const clock = createClock({ own, uptime: () => performance.now(), boot: bench.hardware.boot() })
    let forgotten = false
    const agent = createAgent(
      wrap({
        identity,
        identities,
        hardware: bench.hardware,
        journal: await openJournal(folder, clock.known),
        backlog: await openBacklog(folder, 1024 * 1024, () => {}),
        keepDays: 30,
        clock,
        open: openMqtt,
        join,
        reach,
        askReleaseKey,
        askTime,
        timers: { ...systemTimers, now: own },
        random: () => share,
        log: () => {},
        heartbeatSeconds: 0.05,
        forgotten: () => {
          forgotten = true
        },
      }),
    )
    running.add(agent)
    await agent.start()
    return { agent, ...bench, identities, isForgotten: () => forgotten }
  }

  const answered = (id: string, word: string, at = platform) =>
    at.hears(({ kind, body }) => kind === 'reply' && body.id === id && body.state === word)
  const answersTo = (id: string, at = platform) =>
    at.heard.filter(({ kind, body }) => kind === 'reply' && body.id === id).map(({ body }) => body.state)

  return {
    start,
    newPlatform,
    answered,
    answersTo,
    get platform() {
      return platform
    },
    get folder() {
      return folder
    },
  }
}
