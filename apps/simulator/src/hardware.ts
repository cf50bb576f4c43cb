import { type Hardware, type Result, type Timers, UpdateFailed } from '@campanile/agent'
import { accessCommands, type CommandArgs, type CommandName } from '@campanile/contract'
import type { Hello, StateValues } from '@campanile/contract/protocol'
import { createAppTraffic } from './app-traffic.ts'
import { logOf, screenOf } from './artefacts.ts'
import { createDoor } from './door.ts'
import { bustle, createLife } from './life.ts'
import { profileOf, towns } from './profiles.ts'
import { between, pick } from './random.ts'
import { createSettings } from './template.ts'
import { createSimulatedUpdates, refuseFirmware, type UpdateParts } from './updates.ts'

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
  readonly updates: Pick<UpdateParts, 'seed' | 'mix' | 'leave' | 'fetchSmall'>
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
  let firmware: string = pick(random, firmwares)
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
  let installed: Map<string, string> | undefined
  let measured: StateValues = {}
  let setUp: ReturnType<typeof createSettings> | undefined
  const settings = () => {
    setUp ??= createSettings(random)
    return setUp
  }
  let updating: ReturnType<typeof createSimulatedUpdates> | undefined
  const updates = () => {
    updating ??= createSimulatedUpdates({ ...parts.updates, sn, timers, values: () => measured })
    return updating
  }

  const apps = (): NonNullable<Hello['apps']> =>
    [...new Set([...profile.apps, ...(installed?.keys() ?? [])])]
      .filter((name) => changed?.get(name) !== 'removed')
      .map((name) => ({
        package: name,
        name: calledBy(name),
        version: installed?.get(name) ?? `1.${name.length % 7}.0`,
        enabled: changed?.get(name) !== 'disabled',
      }))
  const setChanged = (app: string, change: 'disabled' | 'removed' | undefined) => {
    changed ??= new Map()
    if (change) changed.set(app, change)
    else changed.delete(app)
  }
  const restart = () => {
    run += 1
    life.startAnew(timers.now())
    traffic.startAnew(timers.now())
    parts.reboot()
  }

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
      measured = values
      const passed = door?.look(now, bustle(now)) ?? []
      const used = traffic.look(now, values, profile.apps, (name) => changed?.get(name) !== 'removed')
      return {
        values: { ...values, ...(door && { door: door.state }), locked, kiosk },
        events: [...events, ...passed, ...used, ...(setUp?.look(now) ?? [])],
      }
    },
    obstacle: async (name) =>
      profile.cannot?.[name] ?? (name in accessCommands && !door ? 'this device has no door' : undefined),

    restartApp: (app) => (app ? appEffort('restartApp', app) : effort('restartApp', { app: profile.apps[0] })),
    reboot: () => new Promise(restart),
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
    applyTemplate: async (template) => {
      await effort('applyTemplate')
      return settings().apply(template)
    },
    undoTemplate: async (templateId) => {
      await effort('undoTemplate')
      return settings().undo(templateId)
    },
    kiosk: async (profileOn) => {
      const result = await effort(profileOn ? 'kioskOn' : 'kioskOff')
      kiosk = profileOn !== undefined
      return result
    },
    software: async () => apps(),
    setEnabled: async (app, enabled) => {
      const result = await appEffort('enableSoftware', app)
      setChanged(app, enabled ? undefined : 'disabled')
      return result
    },
    uninstall: async (app) => {
      const result = await appEffort('uninstall', app)
      setChanged(app, 'removed')
      return result
    },
    installApp: async (args, update) => {
      const { package: app, action, version = '' } = args
      const isThere = apps().some((each) => each.package === app)
      if (action !== 'install' && !isThere) throw new UpdateFailed('notInstalled', app)
      const isNew = action !== 'install' || installed?.get(app) !== version || !isThere
      const item = `${action} ${app} ${version}`
      const { file, bytesPerSecond } = args
      if (isNew) await updates().run(update, { item, file, bytesPerSecond, conditions: args, upgradeMs: [500, 3_000] })
      if (action === 'uninstall') setChanged(app, 'removed')
      else if (action === 'enable' || action === 'disable')
        setChanged(app, action === 'enable' ? undefined : 'disabled')
      else if (action === 'install' && args.installMode !== 'downloadOnly') {
        setChanged(app, undefined)
        installed ??= new Map()
        installed.set(app, version)
      }
      return { package: app }
    },
    upgradeFirmware: async (args, update) => {
      const { version, file, bytesPerSecond } = args
      refuseFirmware(args, firmware)
      const work = { item: version, file, bytesPerSecond, conditions: args, upgradeMs: [2_000, 8_000] } as const
      await updates().run(update, work)
      firmware = version
      updates().ended.set(update.id, { result: { version } })
      return new Promise(restart)
    },
    putFile: async (args, update) => {
      const { file, name, path = '/', bytesPerSecond } = args
      const item = `${path}${name}`
      await updates().run(update, { item, file, bytesPerSecond, conditions: args, upgradeMs: [50, 300] })
      return { path: `${path}${name}`, bytes: file.size }
    },
    showPoster: async (poster, update) => {
      const { posterId, file, bytesPerSecond } = poster
      const work = {
        item: `poster ${posterId}`,
        file,
        bytesPerSecond,
        conditions: poster,
        upgradeMs: [50, 300],
      } as const
      await updates().run(update, work)
      return { posterId }
    },
    recoverUpdates: async () => undefined,
    updateEnded: async (id) => updating?.ended.get(id),
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
