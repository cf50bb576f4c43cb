import type { Hardware, Result, Timers } from '@campanile/agent'
import { accessCommands, type CommandArgs, type CommandName } from '@campanile/contract'
import type { Hello } from '@campanile/contract/protocol'
import { createAppTraffic } from './app-traffic.ts'
import { logOf, screenOf } from './artefacts.ts'
import { createDoor } from './door.ts'
import { bustle, createLife } from './life.ts'
import { profileOf, towns } from './profiles.ts'
import { between, pick } from './random.ts'

export interface HardwareParts {
  readonly sn: string
  readonly type: number
  readonly model: string | undefined
  readonly random: () => number
  readonly timers: Timers
  /** How often a command goes wrong, from 0 to 1. */
  readonly failing: number
  /** The machine goes down and comes back some time later. */
  readonly reboot: () => void
}

const firmwares = ['3.2.1', '3.2.1', '3.2.1', '3.2.0', '3.1.7', '2.9.4'] as const
const reasons: Partial<Record<CommandName, readonly [string, ...string[]]>> = {
  restartApp: ['the app does not stop', 'the app is updating'],
  screenshot: ['the screen is off', 'protected content is shown'],
  uploadLog: ['storage is full', 'the log service does not answer'],
  lock: ['a call is in progress'],
  uninstall: ['the app is in use'],
  configure: ['settings are locked by the operator'],
}
const general = ['the device is busy', 'storage is full', 'the system service does not answer'] as const

/** `org.campanile.till` is called Till. */
const calledBy = (packageName: string) => packageName.replace(/^.*\.(.)/, (_, first: string) => first.toUpperCase())

/** A device that exists in memory only; what it cannot do, it says like a real one. */
export const createSimulatedHardware = (parts: HardwareParts): Hardware => {
  const { sn, type, random, timers, failing } = parts
  const profile = profileOf(type)
  const model = parts.model ?? pick(random, profile.models)
  const firmware = pick(random, firmwares)
  const address = `10.${Math.floor(random() * 250)}.${Math.floor(random() * 250)}.${1 + Math.floor(random() * 250)}`
  const imei = profile.network.some((name) => name.endsWith('G')) ? imeiOf(random) : undefined
  const life = createLife(profile, random, pick(random, towns), timers.now())
  const traffic = createAppTraffic(timers.now())
  const door = profile.door ? createDoor(random, timers) : undefined
  let run = 1
  let locked = false
  let kiosk = false
  /** Made when first changed: most devices never are. */
  let changed: Map<string, 'disabled' | 'removed'> | undefined

  const apps = (): NonNullable<Hello['apps']> =>
    profile.apps
      .filter((name) => changed?.get(name) !== 'removed')
      .map((name) => ({
        package: name,
        name: calledBy(name),
        version: `1.${name.length % 7}.0`,
        enabled: changed?.get(name) !== 'disabled',
      }))

  /** Takes its time, and sometimes goes wrong. */
  const effort = (name: CommandName, result: Result = {}): Promise<Result> => {
    const reason = random() < failing ? pick(random, reasons[name] ?? general) : undefined
    const ms = between(random, 100, 2500)
    return new Promise((resolve, reject) => {
      timers.after(ms, () => (reason ? reject(new Error(reason)) : resolve(result)))
    })
  }
  const appEffort = async (name: CommandName, app: string) => {
    if (!apps().some((each) => each.package === app)) throw new Error(`${app} is not installed`)
    return effort(name, { package: app })
  }

  return {
    boot: () => `${sn}-${run}`,
    describe: async () => ({
      model,
      type,
      firmware,
      system: profile.system,
      agent: 'simulator',
      addresses: [address],
      apps: apps(),
      ...(imei ? { imei } : {}),
    }),
    measure: async () => {
      const now = timers.now()
      const { values, events } = life.look(now)
      const passed = door?.look(now, bustle(now)) ?? []
      const used = traffic.look(now, values, profile.apps, (name) => changed?.get(name) !== 'removed')
      return {
        values: { ...values, ...(door && { door: door.state }), locked, kiosk },
        events: [...events, ...passed, ...used],
      }
    },
    obstacle: async (name) =>
      profile.cannot?.[name] ?? (name in accessCommands && !door ? 'this device has no door' : undefined),

    restartApp: (app) => (app ? appEffort('restartApp', app) : effort('restartApp', { app: profile.apps[0] })),
    reboot: () =>
      new Promise(() => {
        run += 1
        life.startAnew(timers.now())
        traffic.startAnew(timers.now())
        parts.reboot()
      }),
    schedulePower: ({ enabled }) => effort('powerSchedule', { enabled }),
    collectLog: async ({ type: kind }) => {
      await effort('uploadLog')
      return logOf(sn, kind, timers.now(), random)
    },
    capture: async () => {
      await effort('screenshot')
      return screenOf(sn, random)
    },
    show: () => effort('message'),
    lock: async (wanted) => {
      const result = await effort('lock')
      locked = wanted
      return result
    },
    setScreenLock: () => effort('screenLockPassword'),
    setPassword: () => effort('devicePassword'),
    allowOnly: (packages) => effort('whitelist', { packages: packages.length }),
    wipe: () => effort('wipe'),
    configure: ({ items }) => effort('configure', { applied: Object.keys(items) }),
    kiosk: async (profileOn) => {
      const result = await effort(profileOn ? 'kioskOn' : 'kioskOff')
      kiosk = profileOn !== undefined
      return result
    },
    software: async () => apps(),
    setEnabled: async (app, enabled) => {
      const result = await appEffort('enableSoftware', app)
      changed ??= new Map()
      if (enabled) changed.delete(app)
      else changed.set(app, 'disabled')
      return result
    },
    uninstall: async (app) => {
      const result = await appEffort('uninstall', app)
      changed ??= new Map()
      changed.set(app, 'removed')
      return result
    },
    custom: (payload) => effort('custom', { echo: payload }),
    perform: async (name, args) => {
      const result = await effort(name)
      if (name === 'doorOpen') door?.open((args as CommandArgs<'doorOpen'>).seconds)
      if (name === 'doorClose') door?.close()
      if (name === 'doorKeepOpen') door?.keepOpen()
      return door ? { ...result, door: door.state } : result
    },
  }
}

const imeiOf = (random: () => number): string =>
  `86${Array.from({ length: 13 }, () => Math.floor(random() * 10)).join('')}`
