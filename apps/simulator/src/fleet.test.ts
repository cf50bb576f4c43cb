import type { OpenLink } from '@campanile/agent'
import { commandNames, doorChanged, fieldsSchema, readFault } from '@campanile/contract'
import { event, hello, reply, state } from '@campanile/contract/protocol'
import { describe, expect, it } from 'vitest'
import type { Credential } from './credentials.ts'
import { createFleet } from './fleet.ts'
import { profiles } from './profiles.ts'
import { type ScenarioName, scenarios } from './scenarios/index.ts'
import { readUpdateMix, type UpdateMix } from './updates.ts'
import { createWheel } from './wheel.ts'

const noon = Date.UTC(2026, 2, 2, 4)
const hour = 3_600_000
type Said = { at: number; topic: string; body: Record<string, unknown> }

const oneOfEach: Credential[] = Object.keys(profiles).map((type) => ({
  sn: `SIM-${type}`,
  type: Number(type),
  model: undefined,
  password: 'p',
  mqttUrl: 'mqtt://nowhere',
  serverUrl: 'http://nowhere',
}))

/** The whole fleet on a wire that only writes down, and a clock that is turned by hand. */
const watch = async ({
  seed = 1,
  scenario = 'living' as ScenarioName,
  hours = 1,
  credentials = oneOfEach,
  updateMix = undefined as UpdateMix | undefined,
} = {}) => {
  const said: Said[] = []
  const inbox = new Map<string, (payload: Uint8Array) => void>()
  const wheel = createWheel(noon)
  const open: OpenLink = async ({ clientId, will }, handlers) => {
    inbox.set(clientId, handlers.message)
    const say = (topic: string, payload: string) => said.push({ at: wheel.now(), topic, body: JSON.parse(payload) })
    return {
      publish: async (topic, payload) => void say(topic, payload),
      close: async () => undefined,
      drop: () => say(will.topic, will.payload),
    }
  }
  const fleet = createFleet({
    credentials,
    scenario: scenarios[scenario],
    heartbeatSeconds: 60,
    seed,
    timers: wheel,
    open,
    updateMix,
    log: () => {},
  })
  const pass = async (ms: number, step = 1000) => {
    for (const end = wheel.now() + ms; wheel.now() < end; ) {
      wheel.advanceTo(wheel.now() + step)
      await new Promise((resolve) => setImmediate(resolve))
    }
  }
  fleet.start()
  await pass(hours * hour)
  const send = (sn: string, id: string, name: string, args: object = {}) =>
    inbox.get(sn)?.(Buffer.from(JSON.stringify({ id, name, args, expires: wheel.now() + hour })))
  return { said, pass, send, fleet }
}
/** What the server sends of a new version. */
const release = (version: string) => ({
  version,
  file: { url: '/device/v1/download/1?until=2000000000&sig=a', size: 3_000_000, sha256: 'a'.repeat(64), name: 'x.zip' },
  manifest: 'a.a',
})
const kindOf = ({ topic }: Said) => topic.split('/')[3]
const valuesOf = (said: Said[], sn: string, name: string) =>
  said.filter(({ topic, body }) => topic === `v1/${sn}/up/state` && name in body).map(({ body }) => body[name])

describe('a simulated fleet', () => {
  it('says the same things in the same order for the same seed, and others for another', async () => {
    const [one, same, other] = [await watch(), await watch(), await watch({ seed: 2 })]
    expect(one.said.length).toBeGreaterThan(500)
    expect(same.said).toEqual(one.said)
    expect(other.said).not.toEqual(one.said)
  })

  it('speaks the protocol in every type', async () => {
    const { said } = await watch({ hours: 6 })
    const schemas: Record<string, { parse(value: unknown): unknown }> = { hello, state, event, reply }
    for (const each of said.filter((each) => kindOf(each) !== 'bye'))
      expect(schemas[kindOf(each) ?? '']?.parse(each.body)).toEqual(each.body)
    expect(new Set(said.filter((each) => kindOf(each) === 'hello').map(({ body }) => body.type)).size).toBe(16)
  })

  it('drains and charges batteries, moves phones and lets robots work', async () => {
    const { said } = await watch({ hours: 24 })
    const levels = valuesOf(said, 'SIM-15', 'battery') as number[]
    const steps = levels.slice(1).map((level, at) => level - (levels[at] ?? 0))
    expect(steps.some((step) => step > 0) && steps.some((step) => step < 0)).toBe(true)
    expect(Math.max(...steps.map(Math.abs))).toBeLessThanOrEqual(3)
    expect(valuesOf(said, 'SIM-1', 'battery')).toEqual([])
    expect(new Set(valuesOf(said, 'SIM-8', 'longitude')).size).toBeGreaterThan(50)
    expect(new Set(valuesOf(said, 'SIM-1', 'longitude')).size).toBe(1)
    expect(new Set(valuesOf(said, 'SIM-3', 'robotState'))).toContain('working')
    expect(new Set(valuesOf(said, 'SIM-3', 'robotState'))).toContain('charging')
  })

  it('breaks a robot down now and then, says so, and mends it', async () => {
    const robots = Array.from({ length: 20 }, (_, at) => ({ ...(oneOfEach[2] as Credential), sn: `R-${at}` }))
    const { said } = await watch({ hours: 10, credentials: robots })
    const types = said.filter((each) => kindOf(each) === 'event').map(({ body }) => body.type)
    expect(types).toContain('robotBreakdown')
    expect(types).toContain('robotRecovered')
  })

  it('loses and finds the network where it is bad, and only there', async () => {
    const fleetOf200 = Array.from({ length: 200 }, (_, at) => ({ ...(oneOfEach[0] as Credential), sn: `D-${at}` }))
    const byes = ({ said }: { said: Said[] }) => new Set(said.filter((e) => kindOf(e) === 'bye').map((e) => e.topic))
    expect(byes(await watch({ scenario: 'load', credentials: fleetOf200, hours: 0.2 })).size).toBe(0)
    const flappers = byes(await watch({ scenario: 'flapping', credentials: fleetOf200, hours: 0.2 })).size
    expect(flappers).toBeGreaterThan(15)
    expect(flappers).toBeLessThan(75)
  })

  it('answers every command of the contract, with a result or a reason', async () => {
    const { said, send, pass } = await watch({ scenario: 'load' })
    const args: Record<string, object> = {
      powerSchedule: { off: '22:00', on: '07:00', weekdays: [1] },
      message: { title: '', text: 'hi' },
      screenLockPassword: { password: '123456' },
      devicePassword: { password: '1234567' },
      whitelist: { packages: [] },
      configure: { version: 1, items: {} },
      kioskOn: { mode: 'single', packages: ['a'], exitPassword: '123456', statusBar: true, homeKey: true },
      enableSoftware: { package: 'org.campanile.phone', enabled: false },
      uninstall: { package: 'org.campanile.homework' },
      custom: { payload: { a: 1 } },
      uploadLog: { type: 'log' },
      installApp: { package: 'org.campanile.phone', action: 'disable' },
      putFile: { file: release('1').file, path: '/menus/', name: 'menu.png' },
      showPromotion: { promotionId: 1, title: 'T', text: 'T', speed: 'slow', validUntil: '2027-01-01T00:00:00Z' },
      hidePromotion: { promotionId: 1 },
      showPoster: {
        posterId: 1,
        title: 'T',
        text: 'T',
        file: release('1').file,
        imageType: 'portrait',
        position: 1,
        priority: 'normal',
        validUntil: '2027-01-01T00:00:00Z',
      },
      removePoster: { posterId: 1 },
      applyTemplate: { templateId: 1, version: 1, items: { brightness: 50 } },
      undoTemplate: { templateId: 1 },
    }
    const names = commandNames.filter(
      (name) => !['wipe', 'unbind', 'switchServer', 'reboot', 'upgradeFirmware'].includes(name),
    )
    for (const name of names) send('SIM-4', name, name, args[name])
    await pass(10_000)
    const answer = (id: string) => said.find(({ body }) => body.id === id && body.state !== 'acknowledged')?.body
    expect(names.filter((name) => !answer(name))).toEqual([])
    const failed = names.filter((name) => answer(name)?.state === 'failed')
    // No address to upload to was given, and a phone has no door.
    expect(failed).toEqual(['uploadLog', 'screenshot', 'doorOpen', 'doorClose', 'doorKeepOpen'])
    send('SIM-13', 'shot', 'screenshot')
    await pass(1000)
    expect(answer('shot')?.error).toBe('not supported: this device has no screen')
  })

  it('has doors that open for a while, stay open and close by command, and tell what people do to them', async () => {
    const { said, send, pass } = await watch({ scenario: 'load' })
    const door = () => valuesOf(said, 'SIM-1', 'door').at(-1)
    for (const [name, args, state, ms] of [
      ['doorOpen', { seconds: 5 }, 'open', 4_000],
      ['doorKeepOpen', {}, 'keptOpen', 120_000],
      ['doorOpen', { seconds: 5 }, 'keptOpen', 120_000],
      ['doorClose', {}, 'closed', 4_000],
      ['doorOpen', { seconds: 5 }, 'closed', 120_000],
    ] as const) {
      send('SIM-1', `${name} ${ms} ${state}`, name, args)
      await pass(ms)
      expect(door(), name).toBe(state)
    }
    const busy = await watch({ scenario: 'living', hours: 24 })
    const told = busy.said.filter(({ body }) => body.type === 'doorChanged').map(({ body }) => body.data)
    expect(told.length).toBeGreaterThan(10)
    const { data } = doorChanged
    for (const each of told) expect(fieldsSchema(data).safeParse(each).success).toBe(true)
  })

  it('goes away for a reboot and answers it when it is back', async () => {
    const { said, send, pass } = await watch({ scenario: 'load' })
    send('SIM-5', 'r', 'reboot')
    await pass(10_000)
    const answers = () => said.filter(({ body }) => body.id === 'r').map(({ body }) => body.state)
    expect(answers()).toEqual(['acknowledged'])
    await pass(60_000)
    expect(answers()).toEqual(['acknowledged', 'done'])
  })

  it('strikes the whole fleet in a storm, and all come back', async () => {
    const { said, fleet, pass } = await watch({ scenario: 'storm', hours: 0.03 })
    expect(new Set(said.filter((each) => kindOf(each) === 'bye').map(({ topic }) => topic)).size).toBe(16)
    await pass(5000)
    expect(fleet.figures().connected).toBe(16)
  })

  describe('that is updated', () => {
    const app = 'org.campanile.phone'
    const update = async (behaviour: string, name: string, args: object) => {
      const world = await watch({ scenario: 'load', hours: 0.02, updateMix: readUpdateMix(behaviour) })
      const ask = () => world.send('SIM-4', 'u', name, args)
      const replies = () => world.said.filter(({ body }) => body.id === 'u').map(({ body }) => body)
      const hellos = () => world.said.filter(({ topic }) => topic === 'v1/SIM-4/up/hello').map(({ body }) => body)
      ask()
      await world.pass(12_000, 100)
      return { ...world, ask, replies, hellos, last: () => replies().at(-1) }
    }
    const installing = { package: app, action: 'install', ...release('9.1') }

    it('tells each step once and then its new version', async () => {
      const { replies, hellos, send, pass } = await update('success', 'installApp', installing)
      const steps = replies().flatMap(({ step }) => (step ? [step] : []))
      expect([...new Set(steps)]).toEqual(['downloading', 'upgrading'])
      expect(replies().at(-1)).toMatchObject({ state: 'done' })
      send('SIM-4', 'r', 'report')
      await pass(2000)
      expect(hellos().at(-1)?.apps).toContainEqual(expect.objectContaining({ package: app, version: '9.1' }))
    })

    it('starts anew for firmware, says so when it is back, and takes no older one', async () => {
      const { hellos, last, pass, send, said } = await update('success', 'upgradeFirmware', release('9.1'))
      await pass(60_000)
      expect(last()).toMatchObject({ state: 'done', result: { version: '9.1' } })
      expect(hellos().at(-1)).toMatchObject({ firmware: '9.1' })
      send('SIM-4', 'older', 'upgradeFirmware', release('9.0'))
      await pass(2000)
      const answer = said.findLast(({ body }) => body.id === 'older')?.body
      expect(answer?.error).toBe('olderVersion: 9.1 is in use')
    })

    it('takes long, fails with a reason, is gone for ever or for a while', async () => {
      const slow = await update('slow', 'installApp', installing)
      expect(slow.last()).toMatchObject({ state: 'progress' })
      await slow.pass(60_000)
      expect(slow.last()).toMatchObject({ state: 'done' })

      const failing = await update('failing', 'installApp', installing)
      expect(failing.last()).toMatchObject({ state: 'failed' })
      expect(readFault(String(failing.last()?.error)).fault).not.toBe('unknown')

      const bricked = await update('bricked', 'installApp', installing)
      await bricked.pass(hour)
      expect(bricked.last()).toMatchObject({ state: 'progress', step: 'upgrading' })
      expect(bricked.fleet.figures().connected).toBe(15)

      const offline = await update('offline', 'installApp', installing)
      expect(offline.last()).toMatchObject({ state: 'progress', step: 'downloading' })
      expect(offline.fleet.figures().connected).toBe(15)
      await offline.pass(150_000)
      expect(offline.fleet.figures().connected).toBe(16)
      offline.ask()
      await offline.pass(12_000, 100)
      expect(offline.last()).toMatchObject({ state: 'done' })
    })
  })
})
