import { z } from 'zod'
import { bytesOf, depthMax, isFree, messageMaxBytes, numberMin } from '../device/protocol.ts'
import type { Condition } from '../kit/index.ts'

/** How a command's name, arguments, permission and exclusiveness hang together: declared once for form, server and agent. */
export interface CommandSpec<A extends z.ZodType = z.ZodType> {
  readonly args: A
  readonly perm: string
  /** One in-progress change of a kind per device; answered with this code when another one runs (93xxx). */
  readonly exclusive?: { readonly kind: string; readonly code: number }
  /** Arguments that are sealed where they rest and never shown again. */
  readonly secret?: readonly string[]
  /** Asks for the serial number to be typed before it is sent. */
  readonly destroys?: boolean
  /** Arguments that exist only while another one has a certain value. */
  readonly when?: Readonly<Record<string, Condition>>
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

const nothing = z.strictObject({})
const time = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/)
const minutes = (text: string) => Number(text.slice(0, 2)) * 60 + Number(text.slice(3))
/** readings 90: circular over 24 hours; exactly two minutes are accepted. */
export const minutesApart = (off: string, on: string) => {
  const gap = Math.abs(minutes(off) - minutes(on))
  return Math.min(gap, 1440 - gap)
}
export const powerGapMinutes = 2
/** `org.example.app` as much as `x11-utils` or `g++-12`; never something a command line takes for an option or a path. */
const packageName = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9+._-]*$/)
  .max(128)
/** readings 89 */
const folder = z
  .string()
  .max(100)
  .regex(/^(\/([\w.-]+\/)*)?$/)
  .refine((path) => !path.includes('..'))
const pin = z.string().regex(/^\d{6}$/)
const password = z.string().min(6).max(18)

export const commands = define({
  restartApp: {
    args: z.strictObject({ package: packageName.optional() }),
    perm: 'device:list:restart',
    exclusive: { kind: 'restart', code: 93022 },
    waitHours: 1,
  },
  reboot: { args: nothing, perm: 'device:list:restart', exclusive: { kind: 'restart', code: 93022 }, waitHours: 1 },
  powerSchedule: {
    args: z.strictObject({
      off: time,
      on: time,
      weekdays: z.array(z.number().int().min(1).max(7)).min(1).max(7),
      enabled: z.boolean().default(true),
    }),
    perm: 'device:videoPhone:schedule',
    exclusive: { kind: 'parameters', code: 93034 },
    waitHours: 72,
  },
  uploadLog: {
    args: z.strictObject({ type: z.enum(['crash', 'log', 'system', 'custom']), path: folder.optional() }),
    perm: 'device:list:log',
    when: { path: { field: 'type', is: ['custom'] } },
    waitHours: 24,
  },
  screenshot: { args: nothing, perm: 'device:list:capture', waitHours: 1 },
  message: {
    args: z.strictObject({ title: z.string().max(64).default(''), text: z.string().min(1).max(256) }),
    perm: 'device:list:message',
    waitHours: 24,
  },
  lock: { args: nothing, perm: 'device:list:lock', exclusive: { kind: 'lock', code: 93027 }, waitHours: 72 },
  unlock: { args: nothing, perm: 'device:list:unlock', exclusive: { kind: 'lock', code: 93027 }, waitHours: 72 },
  screenLockPassword: {
    args: z.strictObject({ password: pin }),
    secret: ['password'],
    perm: 'device:list:screenLock',
    waitHours: 24,
  },
  devicePassword: {
    args: z.strictObject({ password }),
    secret: ['password'],
    perm: 'device:list:resetPwd',
    waitHours: 24,
  },
  whitelist: {
    args: z.strictObject({ packages: z.array(packageName).max(200) }),
    perm: 'device:list:whitelist',
    exclusive: { kind: 'parameters', code: 93034 },
    waitHours: 72,
  },
  wipe: {
    args: nothing,
    perm: 'device:list:wipe',
    destroys: true,
    exclusive: { kind: 'restart', code: 93022 },
    waitHours: 72,
  },
  switchServer: {
    args: z.strictObject({ serverUrl: z.url({ protocol: /^https?$/ }).max(256), code: z.string().max(128).optional() }),
    secret: ['code'],
    perm: 'device:list:server',
    destroys: true,
    exclusive: { kind: 'parameters', code: 93034 },
    waitHours: 24,
  },
  configure: {
    args: z.strictObject({
      version: z.number().int(),
      items: z
        .record(z.string().max(64), z.union([z.string().max(256), z.number(), z.boolean()]))
        .refine((items) => Object.keys(items).length <= itemsMax),
    }),
    perm: 'device:settings:push',
    ownScreen: true,
    exclusive: { kind: 'parameters', code: 93034 },
    waitHours: 72,
  },
  kioskOn: {
    args: z.strictObject({
      mode: z.enum(['single', 'multi']),
      /** The first one is where the home key leads. */
      packages: z.array(packageName).min(1).max(50),
      exitPassword: password,
      statusBar: z.boolean(),
      homeKey: z.boolean(),
    }),
    secret: ['exitPassword'],
    perm: 'device:list:kiosk',
    exclusive: { kind: 'kiosk', code: 93030 },
    waitHours: 72,
  },
  kioskOff: { args: nothing, perm: 'device:list:kiosk', exclusive: { kind: 'kiosk', code: 93030 }, waitHours: 72 },
  /** Says anew who it is, and all its values. */
  report: { args: nothing, perm: 'device:list:refresh', waitHours: 1 },
  listSoftware: { args: nothing, perm: 'device:list:refresh', waitHours: 1 },
  enableSoftware: {
    args: z.strictObject({ package: packageName, enabled: z.boolean() }),
    perm: 'device:list:enable',
    exclusive: { kind: 'appEnable', code: 93029 },
    waitHours: 24,
  },
  uninstall: {
    args: z.strictObject({ package: packageName }),
    perm: 'device:list:uninstall',
    exclusive: { kind: 'uninstall', code: 93026 },
    waitHours: 24,
  },
  /** Whatever a broker task sends: topic-free JSON the device understands, within `argsLimits` like all arguments. */
  custom: {
    args: z.strictObject({ payload: z.record(z.string(), z.unknown()) }),
    perm: 'broker:task:add',
    ownScreen: true,
    waitHours: 24,
  },
})
export type CommandName = keyof typeof commands
export type CommandArgs<N extends CommandName> = z.output<(typeof commands)[N]['args']>
export const commandNames = Object.keys(commands) as [CommandName, ...CommandName[]]
/** The secret arguments of all commands together: entered like passwords. */
export const secretArgs = [...new Set(Object.values<CommandSpec>(commands).flatMap(({ secret }) => secret ?? []))]
/** What a person may choose for a device. */
export const chosenCommands = commandNames.filter((name) => !('ownScreen' in commands[name]))
