import type { z } from 'zod'
import type { Faults } from './field.ts'
import type { Perm, ScopeKind } from './resource.ts'

/** What a spreadsheet that is sent may weigh. */
export const sheetMaxBytes = 10 * 1024 * 1024

/** A call that is no verb of a resource: sign-in, dashboards, logs. Same checks, same client, same documentation. */
export interface Endpoint<I extends z.ZodType = z.ZodType, A extends z.ZodType = z.ZodType> {
  readonly name: string
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  readonly path: string
  readonly perm: Perm
  readonly scope: ScopeKind
  /** Asked for besides where it depends on what is sent: before anything else of that is checked. */
  readonly permOf?: (given: Readonly<Record<string, unknown>>) => Perm | undefined
  readonly input: I
  /** Codes of its inputs' own. */
  readonly faults?: Readonly<Record<string, Faults>>
  /** Reads that show personal data are written to the operation log; writes always are. */
  readonly personal?: boolean
  /** No line in the operation log: a read by its effect although it is a POST (captcha, list with a body), or a device's own word. */
  readonly quiet?: boolean
  /** Costs much: takes thousands of rows, looks through everything, or reads a sheet. An account has few of them under way at once. */
  readonly heavy?: true
  /** Sent with the person's own token, whichever organisation is entered: it passes from one to another. */
  readonly origin?: true
  /** Still answered to somebody whose password is too old: what leads to a new one, and out. */
  readonly whileExpired?: boolean
  /** Body is one file (multipart field `file`, or `raw`: the body itself, as a stream); `input` describes the query. */
  readonly upload?: { readonly maxBytes: number; readonly raw?: true }
  /** What it answers, and nothing else: what is not declared here is never sent. `fileAnswer` for a file, `done` for nothing. */
  readonly answer: A
}

export const defineEndpoint = <const I extends z.ZodType, const A extends z.ZodType>(
  spec: Endpoint<I, A>,
): Endpoint<I, A> => spec

export type InputOf<E extends Endpoint> = z.input<E['input']>
export type AnswerOf<E extends Endpoint> = z.output<E['answer']>
