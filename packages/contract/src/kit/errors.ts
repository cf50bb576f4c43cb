export interface ErrorSpec {
  readonly code: number
  readonly status: 400 | 401 | 403 | 404 | 409 | 413 | 429 | 500 | 503
  /** The form field the console marks. */
  readonly field?: string
}

export const defineErrors = <const T extends Record<string, ErrorSpec>>(errors: T): T => errors

/** Texts are found by code; English is never thrown. */
export class AppError extends Error {
  readonly code: number
  readonly status: ErrorSpec['status']
  readonly field: string | undefined
  readonly data: Readonly<Record<string, unknown>> | undefined
  constructor(spec: ErrorSpec, data?: Readonly<Record<string, unknown>>) {
    super(`error ${spec.code}`)
    this.code = spec.code
    this.status = spec.status
    this.field = spec.field
    this.data = data
  }
}

export const success = 100000
