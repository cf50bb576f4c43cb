import { z } from 'zod'
import { bytesOf, depthMax, isFree, messageMaxBytes, numberMin } from '../device/protocol.ts'
import {
  choice,
  type Fields,
  type FieldValues,
  fieldsSchema,
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

/** How a command's name, arguments, permission and exclusiveness hang together: declared once for form, server and agent. */
export interface CommandSpec<A extends Fields = Fields> {
  /** What it asks for. */
  readonly args: A
  readonly perm: string
  /** One in-progress change of a kind per device; answered with this code when another one runs (93xxx). */
  readonly exclusive?: { readonly kind: string; readonly code: number }
  /** Arguments that are sealed where they rest and never shown again. */
  readonly secret?: readonly string[]
  /** Asks for the serial number to be typed before it is sent. */
  readonly destroys?: boolean
  /** Made by a screen of its own (settings, broker tasks), never chosen from a menu. */
  readonly ownScreen?: true
  /** How long it may wait for an offline device. */
  readonly waitHours: number
}
/**
 * What goes down is no larger than what comes up: the message with its arguments has `messageMaxBytes`, and all that
 * stands beside the arguments fits in the rest.
 */
export const argsLimits = { bytes: messageMaxBytes - 1024, names: 1_000, depth: depthMax } as const
const itemsMax = 100

/** Names of objects, and numbers with hundreds of digits once they are stored. Stops as soon as there are too many. */
const isModest = (args: unknown): boolean => {
  let names = 0
  const walk = (value: unknown): boolean => {
    if (typeof value === 'number') return value === 0 || Math.abs(value) >= numberMin
    if (typeof value !== 'object' || value === null) return true
    if (Array.isArray(value)) return value.every(walk)
    const inside = Object.values(value)
    names += inside.length
    return names <= argsLimits.names && inside.every(walk)
  }
  return walk(args)
}
/** How much a device would be sent as arguments, in bytes; nothing when it is more than fits, or nested or numbered beyond measure. */
export const weighArgs = (args: Readonly<Record<string, unknown>>): number | undefined => {
  if (!isFree(args, 1) || !isModest(args)) return undefined
  const bytes = bytesOf(JSON.stringify(args))
  return bytes <= argsLimits.bytes ? bytes : undefined
}
const define = <const T extends Record<string, CommandSpec>>(commands: T): T => commands

const minutes = (text: string) => Number(text.slice(0, 2)) * 60 + Number(text.slice(3))
/** readings 90: circular over 24 hours; exactly two minutes are accepted. */
export const minutesApart = (off: string, on: string) => {
  const gap = Math.abs(minutes(off) - minutes(on))
  return Math.min(gap, 1440 - gap)
}
export const powerGapMinutes = 2
/** `org.example.app` as much as `x11-utils` or `g++-12`; never something a command line takes for an option or a path. */
const packagePattern = /^[A-Za-z0-9][A-Za-z0-9+._-]*$/
const packageName = () => mono(128, packagePattern)
const packageNames = (min: number, max: number) => ({
  ...lines(),
  schema: z.array(z.string().regex(packagePattern).max(128)).min(min).max(max),
})
/** readings 89: ends with a slash, blank means root. */
export const folder = () => ({
  ...mono(100),
  schema: z
    .string()
    .max(100)
    .regex(/^(\/([\w.-]+\/)*)?$/)
    .refine((path) => !path.includes('..')),
})
export const httpUrl = (max: number) => ({ ...url(max), schema: z.url({ protocol: /^https?$/ }).max(max) })
const pin = () => mono(6, /^\d{6}$/)
const password = () => ({ ...text(18), min: 6, schema: z.string().min(6).max(18) })

export const commands = define({
  restartApp: {
    args: { package: optional(packageName()) },
    perm: 'device:list:restart',
    exclusive: { kind: 'restart', code: 93022 },
    waitHours: 1,
  },
  reboot: { args: {}, perm: 'device:list:restart', exclusive: { kind: 'restart', code: 93022 }, waitHours: 1 },
  powerSchedule: {
    args: { off: timeOfDay(), on: timeOfDay(), weekdays: weekdays(), enabled: optional(toggle(true)) },
    perm: 'device:videoPhone:schedule',
    exclusive: { kind: 'parameters', code: 93034 },
    waitHours: 72,
  },
  uploadLog: {
    args: {
      type: choice(['crash', 'log', 'system', 'custom']),
      path: when({ field: 'type', is: ['custom'] }, folder()),
    },
    perm: 'device:list:log',
    waitHours: 24,
  },
  screenshot: { args: {}, perm: 'device:list:capture', waitHours: 1 },
  message: {
    args: { title: optional(startingWith('', { ...text(64), schema: z.string().max(64) })), text: longText(256) },
    perm: 'device:list:message',
    waitHours: 24,
  },
  lock: { args: {}, perm: 'device:list:lock', exclusive: { kind: 'lock', code: 93027 }, waitHours: 72 },
  unlock: { args: {}, perm: 'device:list:unlock', exclusive: { kind: 'lock', code: 93027 }, waitHours: 72 },
  screenLockPassword: {
    args: { password: pin() },
    secret: ['password'],
    perm: 'device:list:screenLock',
    waitHours: 24,
  },
  devicePassword: {
    args: { password: password() },
    secret: ['password'],
    perm: 'device:list:resetPwd',
    waitHours: 24,
  },
  whitelist: {
    args: { packages: packageNames(0, 200) },
    perm: 'device:list:whitelist',
    exclusive: { kind: 'parameters', code: 93034 },
    waitHours: 72,
  },
  wipe: {
    args: {},
    perm: 'device:list:wipe',
    destroys: true,
    exclusive: { kind: 'restart', code: 93022 },
    waitHours: 72,
  },
  /** It gives up its credential and says so; whatever it holds stays on it. */
  unbind: {
    args: {},
    perm: 'device:list:unbind',
    destroys: true,
    exclusive: { kind: 'restart', code: 93022 },
    waitHours: 24,
  },
  switchServer: {
    args: { serverUrl: httpUrl(256), code: optional(mono(128)) },
    secret: ['code'],
    perm: 'device:list:server',
    destroys: true,
    exclusive: { kind: 'parameters', code: 93034 },
    waitHours: 24,
  },
  configure: {
    args: {
      version: number(1, Number.MAX_SAFE_INTEGER),
      items: object(z.union([z.string().max(256), z.number(), z.boolean()]), itemsMax),
    },
    perm: 'device:settings:push',
    ownScreen: true,
    exclusive: { kind: 'parameters', code: 93034 },
    waitHours: 72,
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
    exclusive: { kind: 'kiosk', code: 93030 },
    waitHours: 72,
  },
  kioskOff: { args: {}, perm: 'device:kiosk:edit', exclusive: { kind: 'kiosk', code: 93030 }, waitHours: 72 },
  /** Says anew who it is, and all its values. */
  report: { args: {}, perm: 'device:list:refresh', waitHours: 1 },
  listSoftware: { args: {}, perm: 'device:list:refresh', waitHours: 1 },
  enableSoftware: {
    args: { package: packageName(), enabled: toggle() },
    perm: 'device:list:enable',
    exclusive: { kind: 'appEnable', code: 93029 },
    waitHours: 24,
  },
  uninstall: {
    args: { package: packageName() },
    perm: 'device:list:uninstall',
    exclusive: { kind: 'uninstall', code: 93026 },
    waitHours: 24,
  },
  /** Whatever a broker task sends: topic-free JSON the device understands, within `argsLimits` like all arguments. */
  custom: {
    args: { payload: object() },
    perm: 'broker:task:add',
    ownScreen: true,
    waitHours: 24,
  },
})
export type CommandName = keyof typeof commands
export type CommandArgs<N extends CommandName> = FieldValues<(typeof commands)[N]['args']>
export const commandNames = Object.keys(commands) as [CommandName, ...CommandName[]]
/** The secret arguments of all commands together: entered like passwords. */
export const secretArgs = [...new Set(Object.values<CommandSpec>(commands).flatMap(({ secret }) => secret ?? []))]
/** What a person may choose for a device. */
export const chosenCommands = commandNames.filter((name) => !('ownScreen' in commands[name]))

const schemas = new Map(commandNames.map((name) => [name, fieldsSchema(commands[name].args)]))
/** The rule for the arguments of a command. */
export const argsSchema = (name: CommandName) => schemas.get(name) as z.ZodObject
