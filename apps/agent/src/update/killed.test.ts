import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type Platform, startPlatform } from '../test/platform.ts'
import { newFolder } from './test/folder.ts'
import { makeArchive, offer } from './test/release.ts'

const sn = 'KILLED-1'
const seed = Number(process.env.KILL_SEED ?? 1)
/** Beside the named points: at so many offsets of the file, and at so many moments. KILLS=20 for a night. */
const many = Number(process.env.KILLS ?? 1)
let platform: Platform
let folder: string
let child: ChildProcess | undefined

beforeEach(async () => {
  folder = await newFolder('killed')
  platform = await startPlatform()
  platform.codes.add('code')
})
afterEach(async () => {
  await kill()
  await platform.close()
  await rm(folder, { recursive: true, maxRetries: 5 })
})

const agent = (...args: string[]) => {
  child = spawn(
    process.execPath,
    [join(import.meta.dirname, '../../dist/agent.js'), ...args, '--state', join(folder, 'state')],
    { stdio: 'ignore' },
  )
  return child
}
const kill = async () => {
  const ending = child
  child = undefined
  if (!ending || ending.exitCode !== null || ending.signalCode !== null) return
  ending.kill('SIGKILL')
  await once(ending, 'exit')
}

/** A stream that is the same for the same seed. */
const createRandom = (start: number) => {
  let state = start >>> 0
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32
  }
}

/**
 * Programs of the owner that stop where the test wants the agent to be killed: `hold` names the step, `held` says that it
 * has been reached.
 */
const service = (place: string) => {
  const at = (step: string) =>
    `if [ "$(cat ${folder}/hold 2>/dev/null)" = ${step} ]; then rm ${folder}/hold; touch ${folder}/held; sleep 2; fi`
  return {
    folder: place,
    restart: ['sh', '-c', at('restart')],
    health: ['sh', '-c', `${at('health')}; exec sh ${place}/current/run.sh`],
    healthSeconds: 1,
  }
}

const states = ['begin', 'restart', 'health', 'answer'] as const
type Point =
  | { readonly kind: 'offset'; readonly share: number }
  | { readonly kind: 'state'; readonly state: (typeof states)[number] }
  | { readonly kind: 'moment'; readonly ms: number }

/** Every state, many offsets of the download, and moments nobody chose. */
const pointsOf = (random: () => number, many: number): Point[] => [
  ...[0, 1].map((share): Point => ({ kind: 'offset', share })),
  ...Array.from({ length: many }, (): Point => ({ kind: 'offset', share: random() })),
  ...states.map((state): Point => ({ kind: 'state', state })),
  ...Array.from({ length: many }, (): Point => ({ kind: 'moment', ms: Math.floor(random() * 120) })),
]

it('killed at any state and any offset, it has the old or the new version, and ends with the right one', async () => {
  await once(agent('join', platform.serverUrl, '--sn', sn, '--code', 'code'), 'exit')
  const places = { app: join(folder, 'till'), firmware: join(folder, 'firmware') }
  const config = {
    model: 'Bench',
    apps: { till: service(places.app) },
    firmware: service(places.firmware),
  }
  await writeFile(join(folder, 'state', 'config.json'), JSON.stringify(config))
  const runs = (place: string) => {
    const { stdout, status } = spawnSync('sh', [join(place, 'current', 'run.sh')], { encoding: 'utf8' })
    return { version: stdout.trim(), isWell: status === 0 }
  }

  let answered = 0
  /** As the server does: asked again under the same id until it has ended. */
  const send = async (id: string, name: string, args: object) => {
    await platform.send(sn, { id, name, args })
  }
  const answers = (id: string) => platform.heard.filter(({ kind, body }) => kind === 'reply' && body.id === id)
  const ended = (id: string) =>
    platform.hears(({ kind, body }) => kind === 'reply' && body.id === id && /done|failed/.test(String(body.state)))
  const connects = async () => {
    const before = platform.heard.filter(({ kind }) => kind === 'hello').length
    agent('run')
    await expect.poll(() => platform.heard.filter(({ kind }) => kind === 'hello').length).toBeGreaterThan(before)
  }

  const random = createRandom(seed)
  await connects()
  let number = 1
  const present = { app: '', firmware: '' }
  for (const kind of ['app', 'firmware'] as const) {
    const place = places[kind]
    const name = kind === 'app' ? 'installApp' : 'upgradeFirmware'
    const argsOf = (release: ReturnType<typeof offer>) =>
      kind === 'app' ? { package: 'till', action: 'install', installMode: 'silent', ...release } : release
    const release = async (isWell: boolean) => {
      number += 1
      const version = `${number}.0`
      return {
        version,
        args: argsOf(offer(platform, await makeArchive(folder, version, isWell, 60_000), { kind, version })),
      }
    }
    const first = await release(true)
    await send(`${kind} first`, name, first.args)
    expect((await ended(`${kind} first`)).body).toMatchObject({ state: 'done' })
    present[kind] = first.version

    for (const [round, point] of pointsOf(random, many).entries()) {
      const isWell = random() < 0.75
      const { version, args } = await release(isWell)
      const id = `${kind} ${round}`
      const hint = `${id}: ${JSON.stringify(point)}, ${isWell ? 'well' : 'not well'}`
      if (point.kind === 'offset') {
        const reached = new Promise<void>((resolve) => {
          platform.stall = { at: Math.floor(point.share * args.file.size), reached: resolve }
        })
        await send(id, name, args)
        await reached
        await sleep(20)
      } else if (point.kind === 'moment') {
        await send(id, name, args)
        await platform.hears(({ body }) => body.id === id && body.step === 'upgrading')
        await sleep(point.ms)
      } else if (point.state === 'begin' || point.state === 'answer') {
        await send(id, name, args)
        if (point.state === 'begin') await platform.hears(({ body }) => body.id === id)
        else await ended(id)
      } else {
        await writeFile(join(folder, 'hold'), point.state)
        await send(id, name, args)
        await expect.poll(() => existsSync(join(folder, 'held')), { interval: 10 }).toBe(true)
        await rm(join(folder, 'held'))
      }
      await kill()
      // Nobody has put anything in order yet: whoever starts the app now finds one of the two.
      expect([present[kind], version], hint).toContain(runs(place).version)

      await connects()
      if (answers(id).every(({ body }) => !/done|failed/.test(String(body.state)))) await send(id, name, args)
      const { body } = await ended(id)
      if (isWell) expect(body, hint).toMatchObject({ state: 'done' })
      else expect(body, hint).toMatchObject({ state: 'failed', error: expect.stringContaining('notHealthy') })
      if (isWell) present[kind] = version
      expect(runs(place), hint).toEqual({ version: present[kind], isWell: true })
      const steps = answers(id).flatMap(({ body }) => (typeof body.step === 'string' ? [body.step] : []))
      expect([...steps].sort(), hint).toEqual(steps)
      answered += 1
    }
  }
  expect(answered).toBe(2 * (2 + states.length + 2 * many))
}, 600_000)
