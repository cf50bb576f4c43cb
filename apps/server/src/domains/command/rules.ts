import type { AppError, CommandArgs, CommandName } from '@campanile/contract'
import type { Db } from '../../platform/db.ts'
import type { Known } from '../device/index.ts'

/** A command that a device has done, with the arguments that may be read. */
export interface DoneCommand<N extends CommandName = CommandName> {
  readonly deviceId: number
  readonly taskId: number
  readonly args: CommandArgs<N>
  readonly result: Readonly<Record<string, unknown>> | null
  /** When it was told. */
  readonly time: string
}

/** What a room has to say about one of its commands. */
export interface CommandRules<N extends CommandName = CommandName> {
  /** Throws where the arguments could not be meant, before anybody is asked for a device. */
  check?(args: CommandArgs<N>): unknown
  /** Why some of these devices cannot take it now: an error a device, with its `sn`. */
  refuse?(db: Db, devices: readonly Known[], args: CommandArgs<N>): Promise<readonly AppError[]>
  /** What it changes once it was done: called once for each, in the transaction that stores the answers. */
  done?(tx: Db, done: readonly DoneCommand<N>[]): Promise<unknown>
}

/** The rules of every command, as their rooms have given them. */
export const createRules = () => {
  const served = new Map<string, CommandRules>()
  return {
    serve: <N extends CommandName>(name: N, rules: CommandRules<N>) => {
      if (served.has(name)) throw new Error(`${name} is served by two rooms`)
      served.set(name, rules as CommandRules)
    },
    of: (name: string): CommandRules => served.get(name) ?? {},
  }
}
export type Rules = ReturnType<typeof createRules>
