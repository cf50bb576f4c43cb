import type { CommandArgs, CommandName } from '@campanile/contract'
import type { CommandMessage } from '@campanile/contract/protocol'
import type { Artefact, Hardware, Result } from '../hardware/port.ts'
import type { Identity, Membership } from '../identity.ts'
import type { Join } from '../join.ts'

/** What a command may ask of the agent besides the machine. */
export interface Context {
  readonly hardware: Hardware
  readonly message: CommandMessage
  readonly identity: Identity
  readonly join: Join
  /** Uploads a file to where the command says, then removes it here. */
  send(file: Promise<Artefact>): Promise<Result>
  setHeartbeat(seconds: number): void
  /** Who it is and every value, changed or not. */
  tellAll(): Promise<void>
  /** Connects with that membership once; rejects when it is not taken. */
  probe(membership: Membership): Promise<void>
  /** From the next connection on. */
  moveTo(membership: Membership): Promise<void>
  reconnect(): Promise<void>
  /** Drops the identity and ends the agent. What it has done stays written down, should it join again. */
  forget(): Promise<void>
}

export interface Outcome {
  readonly result?: Result
  /** Done once the answer has been handed over, or could not be. */
  after?(): Promise<void>
}

export type Command<N extends CommandName> = (args: CommandArgs<N>, context: Context) => Promise<Outcome>
