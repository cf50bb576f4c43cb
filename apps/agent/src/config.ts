import { join } from 'node:path'
import { z } from 'zod'
import { readIfPresent } from './identity.ts'

const argv = z.array(z.string().min(1)).min(1)
const absolute = z.string().startsWith('/')

/** How something is started, and how it proves that it works: a program that ends well, asked until it does or the time is over. */
const service = {
  unit: z.string().optional(),
  restart: argv.optional(),
  health: argv.optional(),
  healthSeconds: z.number().min(1).max(3600).default(30),
}
const app = z.strictObject({
  ...service,
  /** How it is stopped, where it has no unit. */
  stop: argv.optional(),
  /** Where its versions are kept: the platform may install it there. The owner starts it from `current` in that folder. */
  folder: absolute.optional(),
  /** What it writes; emptied when the platform clears its data. */
  data: absolute.optional(),
})
export type AppConfig = z.infer<typeof app>
const firmware = z.strictObject({
  ...service,
  /** Where its two slots are; what runs is started from `current` in that folder. */
  folder: absolute,
  /** What the machine came with, as long as no slot is in use. */
  version: z.string().max(128).optional(),
  /** The new version runs after a restart of the whole machine. */
  reboot: z.boolean().default(false),
})
export type FirmwareConfig = z.infer<typeof firmware>

/** What the owner of the machine lets the platform do and how; `config.json` in the state folder. */
const schema = z.strictObject({
  model: z.string().max(128).optional(),
  /** Code of the device type, as the platform's dictionary numbers them; 14 is an edge box. */
  type: z.number().int().min(1).max(999).default(14),
  /** Apps a person may restart, enable and install, by name: a systemd unit, or a command that restarts it. */
  apps: z.record(z.string(), app).default({}),
  /** Versions of the whole machine that the platform may bring. */
  firmware: firmware.optional(),
  /** Files that the platform brings are put below this folder, and nowhere else. */
  filesFolder: absolute.optional(),
  /** Which of them is meant when a command names none. */
  mainApp: z.string().optional(),
  /** A program for each command that only some machines know, such as `doorOpen`; gets the arguments as JSON on standard input. */
  commands: z.record(z.string(), argv).default({}),
  /** A program that prints values only it can know, such as `{"door":"closed"}`, as JSON. */
  valuesCommand: argv.optional(),
  /** Sets items of a template that the machine cannot set itself, and prints the values that hold; both as JSON. */
  templateCommand: argv.optional(),
  kiosk: z.strictObject({ start: argv, stop: argv }).optional(),
  /** Get the list, the PIN or the payload as JSON on standard input. */
  whitelistCommand: argv.optional(),
  screenLockCommand: argv.optional(),
  customCommand: argv.optional(),
  /** Whose password `devicePassword` sets. */
  account: z
    .string()
    .regex(/^[a-z_][a-z0-9_-]*$/)
    .optional(),
  display: z.string().default(process.env.DISPLAY ?? ':0'),
  /** Folders and files of each kind of log, besides the system's journal. */
  logs: z
    .strictObject({ crash: z.array(absolute).default(['/var/crash']), log: z.array(absolute).default([]) })
    .default({
      crash: ['/var/crash'],
      log: [],
    }),
  /** A folder a command names must lie in one of these. */
  uploadFrom: z.array(absolute).default(['/var/log', '/var/crash']),
  /** The server takes no more than 50. */
  uploadMaxMegabytes: z.number().positive().default(50),
  /** How much of what is measured, and how old, is kept while the server is out of reach; the server takes nothing older. */
  keepMegabytes: z.number().min(1).max(10_000).default(20),
  keepDays: z.number().min(1).max(60).default(30),
  /** What a wipe removes besides the identity. */
  wipe: z
    .array(absolute.refine((path) => path.split('/').filter(Boolean).length >= 2, 'too close to the root'))
    .default([]),
})
export type Config = z.infer<typeof schema>

/** Rights that only the one who starts the agent can give. */
export interface Allowed {
  readonly wipe: boolean
  readonly uninstall: boolean
  readonly password: boolean
}

export const readConfig = async (folder: string): Promise<Config> => {
  const path = join(folder, 'config.json')
  try {
    return schema.parse(JSON.parse((await readIfPresent(path)) ?? '{}'))
  } catch (error) {
    throw new Error(`${path}: ${error instanceof z.ZodError ? z.prettifyError(error) : error}`)
  }
}
