/** Where a call failed: the server answered a code, only an HTTP status came back, or nothing did. */
export type FailureKind = 'api' | 'http' | 'network' | 'timeout' | 'aborted' | 'session'

export const codes = {
  success: [100000, 20000],
  /** Some of the batch worked; `data` says which did not. */
  partialSuccess: 100028,
  sessionEnded: 100006,
  /** §8: an answer without a code counts as this one. */
  missing: 100004,
} as const

type Failure = {
  kind: FailureKind
  code: number
  status: number
  message: string
  data?: unknown
}

/** One class, because callers need `instanceof` across promise chains and error boundaries. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly kind: FailureKind
  readonly code: number
  readonly status: number
  readonly data: unknown
  /** The form field the server blames, when it names one. */
  readonly field: string | undefined

  constructor(failure: Failure) {
    super(failure.message)
    this.kind = failure.kind
    this.code = failure.code
    this.status = failure.status
    this.data = failure.data
    this.field = fieldOf(failure.data)
  }
}

export const isApiError = (error: unknown): error is ApiError => error instanceof ApiError

export const isPartialSuccess = (error: unknown): error is ApiError =>
  isApiError(error) && error.code === codes.partialSuccess

function fieldOf(data: unknown): string | undefined {
  if (typeof data !== 'object' || data === null || !('field' in data)) return undefined
  return typeof data.field === 'string' ? data.field : undefined
}
