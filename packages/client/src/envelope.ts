import { isSuccess } from '@campanile/contract/codes'
import { ApiError } from './apiError.ts'

const sessionEnded = 100006
/** An answer without a code counts as this one (behaviour: api.no-code). */
export const missingCode = 100004

/** Wrong credentials also answer 401, but they are a business answer and end no session. */
const isSignInCode = (code: number) => code >= 21001 && code <= 21020

type Envelope = { code?: unknown; message?: unknown; data?: unknown }

const isEnvelope = (body: unknown): body is Envelope =>
  typeof body === 'object' && body !== null && !Array.isArray(body)

/** Undefined when the body is not JSON; a broken connection still throws. */
async function readJson(response: Response): Promise<unknown> {
  const text = await response.text()
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The body's code decides whatever the status says; only without a body does the status speak. */
export async function unwrap<T>(response: Response): Promise<T> {
  const body = await readJson(response)
  if (!isEnvelope(body)) throw failureOfStatus(response)
  const code = typeof body.code === 'number' ? body.code : missingCode
  const message = typeof body.message === 'string' ? body.message : ''
  if (isSuccess(code)) return body.data as T
  const ended = code === sessionEnded || (response.status === 401 && !isSignInCode(code))
  throw new ApiError({ kind: ended ? 'session' : 'api', code, status: response.status, message, data: body.data })
}

export function failureOfStatus(response: Response): ApiError {
  const { status, statusText } = response
  if (status === 401) return sessionFailure(status)
  return new ApiError({ kind: 'http', code: missingCode, status, message: statusText })
}

export const sessionFailure = (status: number) =>
  new ApiError({ kind: 'session', code: sessionEnded, status, message: '' })
