import type { z } from 'zod'
import { commands } from '../commands.ts'
import { bytesOf, depthMax, isFree, messageMaxBytes, numberMin } from '../device/protocol.ts'
import { type CommandSpec, type FieldValues, fieldsSchema } from '../kit/index.ts'

/**
 * What goes down is no larger than what comes up: the message with its arguments has `messageMaxBytes`, and all that
 * stands beside the arguments fits in the rest.
 */
export const argsLimits = { bytes: messageMaxBytes - 1024, names: 1_000, depth: depthMax } as const

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
export type CommandName = keyof typeof commands
export { commands }
export type CommandArgs<N extends CommandName> = FieldValues<(typeof commands)[N]['args']>
export const commandNames = Object.keys(commands) as [CommandName, ...CommandName[]]
/** The secret arguments of all commands together: entered like passwords. */
export const secretArgs = [...new Set(Object.values<CommandSpec>(commands).flatMap(({ secret }) => secret ?? []))]
/** What a person may choose for a device. */
export const chosenCommands = commandNames.filter((name) => !('ownScreen' in commands[name]))

/** What is declared of a command; nothing of one that is not ours. */
export const commandSpec = (name: string): CommandSpec | undefined =>
  Object.hasOwn(commands, name) ? commands[name as CommandName] : undefined
/** Where people find the name of a command; one that is not ours has none there. */
export const commandTextKey = (name: string | number): string =>
  `${commandSpec(String(name))?.texts ?? 'command'}.name.${name}`
/** Commands that are answered with a file. */
export const fileCommands = commandNames.filter((name) => commandSpec(name)?.fileMaxBytes !== undefined)

const schemas = new Map(commandNames.map((name) => [name, fieldsSchema(commands[name].args)]))
/** The rule for the arguments of a command. */
export const argsSchema = (name: CommandName) => schemas.get(name) as z.ZodObject
