import {
  AppError,
  argsLimits,
  argsSchema,
  type CommandArgs,
  type CommandName,
  type CommandSpec,
  commandErrors,
  commands,
  commonErrors,
  customArgs,
  minutesApart,
  powerGapMinutes,
  weighArgs,
} from '@campanile/contract'
import { type Actor, type Scope, scopeFor } from '../../kit/actor.ts'
import { fromZod } from '../../kit/answer.ts'
import { mayBeKept } from '../../platform/outbound-url.ts'
import type { Settings } from '../../platform/settings.ts'
import type { CommandRules, Rules } from './rules.ts'

type Args = Record<string, unknown>

/** A command with arguments that fit it, and where its caller may give it. */
export interface Order {
  readonly name: CommandName
  readonly spec: CommandSpec
  readonly args: Args
  /** Of the arguments. */
  readonly bytes: number
  readonly scope: Scope
}

/** Before anything walks them a second time: nothing here is meant for arguments without end. */
const weigh = (args: Args): number => {
  const bytes = weighArgs(args)
  if (bytes === undefined)
    throw new AppError(commandErrors.argsTooLarge, {
      limit: `${argsLimits.bytes / 1024} KiB`,
      names: argsLimits.names,
      depth: argsLimits.depth,
    })
  return bytes
}

const parse = (name: CommandName, args: Args): Args => {
  const { data, error } = argsSchema(name).safeParse(args)
  if (!error) return data as Args
  const refusal = fromZod(error, args)
  const field = ['args', ...(refusal.field ? [refusal.field] : [])].join('.').slice(0, 64)
  // An argument that a command does not know is a wrong one, as it always was.
  const isUnknown = refusal.code === commonErrors.unknownField.code
  const spec = isUnknown ? commonErrors.wrongFormat : { code: refusal.code, status: refusal.status }
  throw new AppError({ ...spec, field }, { ...refusal.data, field })
}

/** The permission of the command itself, on whatever departments one single role grants it. */
export const scopeOfCommand = (actor: Actor, name: CommandName): Scope => {
  const { perm } = commands[name]
  const scope = scopeFor(actor, perm)
  if (!scope) throw new AppError(commonErrors.noPermission, { permission: perm })
  return scope
}

/** The rules of the commands that any device knows. */
export const createOwnChecks = ({ settings }: { settings: Pick<Settings, 'get'> }) => {
  /** Where a device is sent to, at once or by a profile of settings that is kept for later (behaviour: api.outside-links). */
  const refuseAddress = async (address: unknown): Promise<void> => {
    if (typeof address === 'string' && !mayBeKept(address, await settings.get('allowPrivateServer')))
      throw new AppError(commandErrors.serverUrlRefused)
  }
  const checks: Partial<Record<CommandName, CommandRules['check']>> = {
    powerSchedule: ({ off, on }: CommandArgs<'powerSchedule'>) => {
      // behaviour: commands.power-gap
      if (minutesApart(off, on) < powerGapMinutes)
        throw new AppError({ ...commandErrors.powerTimesTooClose, field: 'args.on' }, { minutes: powerGapMinutes })
    },
    switchServer: ({ serverUrl }: CommandArgs<'switchServer'>) => refuseAddress(serverUrl),
    configure: ({ items }: CommandArgs<'configure'>) => refuseAddress(items.serverUrl),
  }
  return { refuseAddress, checks }
}
export type OwnChecks = ReturnType<typeof createOwnChecks>

/** Refuses what could not be meant before anybody is asked for a device. */
export const createOrder =
  (rules: Pick<Rules, 'of'>) =>
  async (scope: Scope, name: CommandName, given: Args): Promise<Order> => {
    const meant = name === 'custom' ? customArgs(given) : given
    const bytes = weigh(meant)
    const args = parse(name, meant)
    await rules.of(name).check?.(args as never)
    return { name, spec: commands[name], args, bytes, scope }
  }
