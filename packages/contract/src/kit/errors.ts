export interface ErrorSpec {
  readonly code: number
  readonly status: 400 | 401 | 403 | 404 | 409 | 413 | 429 | 500 | 503
  /** The form field the console marks. */
  readonly field?: string
  /** What the text names; whoever throws must supply them, or a person would read `{{sn}}`. */
  readonly values?: readonly string[]
  /** A value that may be known. When it is, the text `<code>_<variant>` is shown instead of `<code>`. */
  readonly variant?: string
}

export const defineErrors = <const T extends Record<string, ErrorSpec>>(errors: T): T => errors

export type ErrorData = Readonly<Record<string, unknown>>

/** A rule between fields that is broken: the field to blame, and what is answered. */
export interface Broken {
  readonly field: string
  readonly error: ErrorSpec
  readonly data?: ErrorData
}

type Supplied<S extends ErrorSpec> = S extends { readonly values: readonly (infer Name extends string)[] }
  ? [data: Readonly<Record<Name, string | number>> & ErrorData]
  : [data?: ErrorData]

/** Texts are found by code; English is never thrown. */
export class AppError<S extends ErrorSpec = ErrorSpec> extends Error {
  override readonly name = 'AppError'
  readonly code: number
  readonly status: ErrorSpec['status']
  readonly field: string | undefined
  readonly data: ErrorData | undefined
  constructor(spec: S, ...[data]: Supplied<S>) {
    super(`error ${spec.code}`)
    this.code = spec.code
    this.status = spec.status
    this.field = spec.field
    this.data = data
  }
}

export const success = 100000
/** Done in part. The console shows the data that came with it and leaves the list as it is (behaviour: api.partly). */
export const partialSuccess = 100028
/** An import ended with rows that were not accepted (behaviour: api.rows-refused). */
export const importFeedback = 30000
/** 20000 is the older word for success (behaviour: api.code-decides). */
export const isSuccess = (code: unknown): boolean => code === success || code === 20000

/** What stands after the last ASCII or full-width colon: how a message names a serial number or a department. */
export const parseSubject = (message: string): string | undefined => {
  const tail = /[:：]([^:：]*)$/.exec(message)?.[1]?.trim()
  return tail === '' ? undefined : tail
}
