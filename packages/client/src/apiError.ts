import { partialSuccess } from '@campanile/contract/codes'

/** Where a call failed: the server answered a code, only an HTTP status came back, or nothing did. */
export type FailureKind = 'api' | 'http' | 'network' | 'timeout' | 'aborted' | 'session'

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
  isApiError(error) && error.code === partialSuccess

function fieldOf(data: unknown): string | undefined {
  if (typeof data !== 'object' || data === null || !('field' in data)) return undefined
  return typeof data.field === 'string' ? data.field : undefined
}
