import type { CommandName } from '@campanile/contract/command'
import type { protocol } from '@campanile/contract/device'
import type { Values } from '../../../kit/form/formValues.ts'

/** What would be said: `args` are missing while something has not been entered yet or is wrong. */
export interface Draft {
  readonly command: CommandName | undefined
  readonly args: Record<string, unknown> | undefined
  readonly touched: boolean
  /** What stands in the fields, right or not, without secrets: it is there again after the page was loaded anew. */
  readonly typed?: Values | undefined
  /** A secret is among them, which would be lost. */
  readonly partly?: boolean
}
export const nothingYet: Draft = { command: undefined, args: undefined, touched: false }

/** What is said. A message of one's own has a name, a topic and a quality of service. */
export interface Said {
  readonly command: CommandName
  readonly args: Record<string, unknown>
  readonly message?: { name: string; topic: string; payload: string; qos: protocol.CommandQos } | undefined
}

/** What the composer asks of whatever takes the arguments. */
export interface DraftHandle {
  /** Shows what is wrong and answers the id of the first such field, or all that was entered. */
  readonly read: () => Said | { wrong: string }
  /** Marks the field that the server blames and answers its id; without a failure the mark goes. */
  readonly blame: (failure: unknown) => string | undefined
}
