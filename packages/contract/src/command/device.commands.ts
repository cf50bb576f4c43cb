import { z } from 'zod'
import { folder } from '../file/folder.ts'
import {
  choice,
  defineCommands,
  lines,
  longText,
  mono,
  number,
  object,
  optional,
  startingWith,
  text,
  timeOfDay,
  toggle,
  url,
  weekdays,
  when,
} from '../kit/index.ts'

const minutes = (text: string) => Number(text.slice(0, 2)) * 60 + Number(text.slice(3))
/** Circular over 24 hours; exactly two minutes are accepted (behaviour: commands.power-gap). */
export const minutesApart = (off: string, on: string) => {
  const gap = Math.abs(minutes(off) - minutes(on))
  return Math.min(gap, 1440 - gap)
}
export const powerGapMinutes = 2
/** `org.example.app` as much as `x11-utils` or `g++-12`; never something a command line takes for an option or a path. */
const packagePattern = /^[A-Za-z0-9][A-Za-z0-9+._-]*$/
export const packageName = () => mono(128, packagePattern)
const packageNames = (min: number, max: number) => ({
  ...lines(),
  schema: z.array(z.string().regex(packagePattern).max(128)).min(min).max(max),
})
export const httpUrl = (max: number) => ({ ...url(max), schema: z.url({ protocol: /^https?$/ }).max(max) })
const itemsMax = 100
const megabyte = 1024 * 1024
const hours = (count: number) => count * 60
const pin = () => mono(6, /^\d{6}$/)
const password = () => ({ ...text(18), min: 6, schema: z.string().min(6).max(18) })

/** What any device may be asked to do. */
export const deviceCommands = defineCommands('command', {
  restartApp: {
    args: { package: optional(packageName()) },
    perm: 'device:list:restart',
    group: 'everyday',
    apps: ['package'],
    exclusive: { kind: 'restart', code: 93022 },
    waitMinutes: hours(1),
  },
  reboot: {
    args: {},
    perm: 'device:list:restart',
    group: 'everyday',
    frequent: true,
    exclusive: { kind: 'restart', code: 93022 },
    waitMinutes: hours(1),
  },
  powerSchedule: {
    args: { off: timeOfDay(), on: timeOfDay(), weekdays: weekdays(), enabled: optional(toggle(true)) },
    perm: 'device:videoPhone:schedule',
    group: 'setUp',
    exclusive: { kind: 'parameters', code: 93034 },
    repeatable: true,
    waitMinutes: hours(72),
  },
  uploadLog: {
    args: {
      type: choice(['crash', 'log', 'system', 'custom']),
      path: when({ field: 'type', is: ['custom'] }, folder()),
    },
    perm: 'device:list:log',
    group: 'look',
    repeatable: true,
    fileMaxBytes: 50 * megabyte,
    waitMinutes: hours(24),
  },
  screenshot: {
    args: {},
    perm: 'device:list:capture',
    group: 'look',
    repeatable: true,
    fileMaxBytes: 10 * megabyte,
    waitMinutes: hours(1),
  },
  message: {
    args: { title: optional(startingWith('', { ...text(64), schema: z.string().max(64) })), text: longText(256) },
    perm: 'device:list:message',
    group: 'everyday',
    frequent: true,
    waitMinutes: hours(24),
  },
  lock: {
    args: {},
    perm: 'device:list:lock',
    group: 'everyday',
    frequent: true,
    unless: { fact: 'locked', is: true },
    exclusive: { kind: 'lock', code: 93027 },
    repeatable: true,
    waitMinutes: hours(72),
  },
  unlock: {
    args: {},
    perm: 'device:list:unlock',
    group: 'everyday',
    frequent: true,
    unless: { fact: 'locked', is: false },
    exclusive: { kind: 'lock', code: 93027 },
    repeatable: true,
    waitMinutes: hours(72),
  },
  screenLockPassword: {
    args: { password: pin() },
    secret: ['password'],
    perm: 'device:list:screenLock',
    group: 'setUp',
    repeatable: true,
    waitMinutes: hours(24),
  },
  devicePassword: {
    args: { password: password() },
    secret: ['password'],
    perm: 'device:list:resetPwd',
    group: 'setUp',
    repeatable: true,
    waitMinutes: hours(24),
  },
  whitelist: {
    args: { packages: packageNames(0, 200) },
    perm: 'device:list:whitelist',
    group: 'apps',
    apps: ['packages'],
    exclusive: { kind: 'parameters', code: 93034 },
    repeatable: true,
    waitMinutes: hours(72),
  },
  wipe: {
    args: {},
    perm: 'device:list:wipe',
    group: 'setUp',
    destroys: true,
    exclusive: { kind: 'restart', code: 93022 },
    repeatable: true,
    waitMinutes: hours(72),
  },
  /** It gives up its credential and says so; whatever it holds stays on it. */
  unbind: {
    args: {},
    perm: 'device:list:unbind',
    group: 'setUp',
    destroys: true,
    exclusive: { kind: 'restart', code: 93022 },
    repeatable: true,
    waitMinutes: hours(24),
  },
  switchServer: {
    args: { serverUrl: httpUrl(256), code: optional(mono(128)) },
    secret: ['code'],
    perm: 'device:list:server',
    group: 'setUp',
    destroys: true,
    exclusive: { kind: 'parameters', code: 93034 },
    waitMinutes: hours(24),
  },
  configure: {
    args: {
      version: number(1, Number.MAX_SAFE_INTEGER),
      items: object(z.union([z.string().max(256), z.number(), z.boolean()]), itemsMax),
    },
    perm: 'device:settings:push',
    group: 'setUp',
    ownScreen: true,
    exclusive: { kind: 'parameters', code: 93034 },
    repeatable: true,
    waitMinutes: hours(72),
  },
  kioskOn: {
    args: {
      mode: choice(['single', 'multi']),
      /** The first one is where the home key leads. */
      packages: packageNames(1, 50),
      /** Left out where the device has one already: it stays. */
      exitPassword: optional(password()),
      statusBar: toggle(),
      homeKey: toggle(),
    },
    secret: ['exitPassword'],
    perm: 'device:kiosk:edit',
    group: 'apps',
    apps: ['packages'],
    exclusive: { kind: 'kiosk', code: 93030 },
    repeatable: true,
    waitMinutes: hours(72),
  },
  kioskOff: {
    args: {},
    perm: 'device:kiosk:edit',
    group: 'apps',
    unless: { fact: 'kiosk', is: false },
    exclusive: { kind: 'kiosk', code: 93030 },
    repeatable: true,
    waitMinutes: hours(72),
  },
  /** Says anew who it is, and all its values. */
  report: { args: {}, perm: 'device:list:refresh', group: 'look', repeatable: true, waitMinutes: hours(1) },
  listSoftware: { args: {}, perm: 'device:list:refresh', group: 'look', repeatable: true, waitMinutes: hours(1) },
  enableSoftware: {
    args: { package: packageName(), enabled: toggle() },
    perm: 'device:list:enable',
    group: 'apps',
    apps: ['package'],
    exclusive: { kind: 'appEnable', code: 93029 },
    repeatable: true,
    waitMinutes: hours(24),
  },
  uninstall: {
    args: { package: packageName() },
    perm: 'device:list:uninstall',
    group: 'apps',
    apps: ['package'],
    exclusive: { kind: 'uninstall', code: 93026 },
    waitMinutes: hours(24),
  },
  /** Whatever a broker task sends: its topic, and JSON the device understands, within `argsLimits` like all arguments. */
  custom: {
    args: { topic: optional(mono(64)), payload: object() },
    perm: 'broker:task:add',
    group: 'setUp',
    ownScreen: true,
    waitMinutes: hours(24),
  },
})
