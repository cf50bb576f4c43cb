import type { CommandArgs, CommandName } from '@campanile/contract'
import type { CommandMessage } from '@campanile/contract/protocol'
import type { Artefact, Hardware, Result } from '../hardware/port.ts'
import type { Identity, Membership } from '../identity.ts'
import type { Reach } from '../join.ts'
import type { UpdateContext } from '../update/context.ts'

/** What a command may ask of the agent besides the machine. */
export interface Context {
  readonly hardware: Hardware
  readonly message: CommandMessage
  readonly identity: Identity
  /** Rejects with the reason when no server answers there. */
  readonly reach: Reach
  /** Exchanges a code for a membership of another server. */
  join(serverUrl: string, code: string): Promise<Membership>
  /** Uploads a file to where the command says, then removes it here. */
  send(file: Promise<Artefact>): Promise<Result>
  readonly update: UpdateContext
  setHeartbeat(seconds: number): void
  /** Who it is and every value, changed or not. */
  tellAll(): Promise<void>
  /** Goes to another server once that has taken us; rejects, and stays, when it does not. Called with its answer given. */
  move(find: () => Promise<Membership>): Promise<() => Promise<void>>
  /** Drops the identity and ends the agent. What it has done stays written down, should it join again. */
  forget(): Promise<void>
}

export interface Outcome {
  readonly result?: Result
  /** Done once the answer has been handed over, or could not be. */
  after?(): Promise<void>
}

export type Command<N extends CommandName> = (args: CommandArgs<N>, context: Context) => Promise<Outcome>
