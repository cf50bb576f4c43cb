import type { Fields } from './resource.ts'

/** What stands together where a command is chosen; what destroys stands apart, behind all of them. */
export const commandGroups = ['everyday', 'look', 'apps', 'setUp', 'doors'] as const

/** How a command's name, arguments, permission and limits hang together: declared once for form, server and agent. */
export interface CommandSpec<A extends Fields = Fields> {
  /** The file of texts where people find its name (`name.<command>`) and its arguments (`field.<argument>`). */
  readonly texts: string
  /** What it asks for. */
  readonly args: A
  readonly perm: string
  readonly group: (typeof commandGroups)[number]
  /** Asked for so often that it stands in sight where one device is shown. */
  readonly frequent?: true
  /** Not offered for a device of which this holds already. */
  readonly unless?: { readonly fact: 'locked' | 'kiosk'; readonly is: boolean }
  /** Arguments that name apps: chosen from those the devices have said they have. */
  readonly apps?: readonly string[]
  /** One in-progress change of a kind per device; answered with this code when another one runs. */
  readonly exclusive?: { readonly kind: string; readonly code: number }
  /** Arguments that are sealed where they rest and never shown again. */
  readonly secret?: readonly string[]
  /** Asks for the serial number to be typed before it is sent. */
  readonly destroys?: boolean
  /** Made by a screen of its own (settings, broker tasks), never chosen from a menu. */
  readonly ownScreen?: true
  /** How long it may wait for a device that is away, and for its answer. */
  readonly waitMinutes: number
  /** It is answered with a file of at most so many bytes. */
  readonly fileMaxBytes?: number
  /** Done twice, it leaves the device as if done once: cut off in the middle, it is done again when it is asked for again. */
  readonly repeatable?: true
  /** Codes its room may refuse a device with, beside those that any command is refused with. */
  readonly errors?: readonly number[]
}

type Declared = Omit<CommandSpec, 'texts'>

/** The commands of a room, by their names, with the file of texts that names them. */
export const defineCommands = <const T extends Readonly<Record<string, Declared>>>(
  texts: string,
  commands: T,
): { readonly [N in keyof T]: T[N] & { readonly texts: string } } =>
  Object.fromEntries(Object.entries(commands).map(([name, spec]) => [name, { ...spec, texts }])) as never
