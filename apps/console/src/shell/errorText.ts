import { type ApiError, isApiError } from '@campanile/client'
import { commonErrors, departmentAfterColon, errorRanges, serialAfterColon } from '@campanile/contract/api'
import { parseSubject } from '@campanile/contract/codes'
import i18next from 'i18next'
import { isGranted } from './granted.ts'
import { knownDepartment } from './knownDepartment.ts'

export type ErrorText = { title: string; text: string; link?: { label: string; to: string } }

export function describeError(error: unknown): ErrorText {
  if (!isApiError(error)) {
    return { title: i18next.t('signIn.error'), text: error instanceof Error ? error.message : String(error) }
  }
  if (error.kind === 'api') return describeCode(error)
  if (error.kind === 'http') return { title: titleOf(error.status), text: textOfStatus(error) }
  return { title: i18next.t('signIn.error'), text: i18next.t(silence[error.kind]) }
}

/** What to say when no answer of ours came back. */
const silence = {
  session: 'message.loggedOut',
  timeout: 'message.networkTimeout',
  network: 'message.networkError',
  aborted: 'message.networkError',
} as const

const titleOf = (code: number) => i18next.t('message.errorTitle', { code })

function describeCode(error: ApiError): ErrorText {
  const title = titleOf(error.code)
  const text = textOfCode(error)
  const sn = serialAfterColon.includes(error.code) ? parseSubject(error.message) : undefined
  // Who may not open the page of a device is told its number, and no more.
  if (sn === undefined || !isGranted('device:list:detail')) return { title, text }
  return { title, text, link: { label: sn, to: `/device/list/detail/${encodeURIComponent(sn)}` } }
}

/** Our catalogue filled with what the server sent, then the server's own words. */
function textOfCode({ code, message, data }: ApiError): string {
  const values = isRecord(data) ? data : {}
  const key = ownKey(code, values)
  // A code of a room that is not open, or one we only know by its range: the server said it in the same words, or in better.
  if (key === undefined && message !== '') return message
  return i18next.t(key ?? rangeKey(code), {
    ...subjectOf(code, message),
    ...values,
    ...departmentOf(code, message, values),
  })
}

/** The text that names most of what came with the code. Zero and no code at all mean that the service is busy. */
function ownKey(code: number | undefined, values: Record<string, unknown>): string | undefined {
  if (!code) return `error.${commonErrors.serviceBusy.code}`
  const variants = Object.keys(values).map((name) => `error.${code}_${name}`)
  return [...variants, `error.${code}`].find((key) => i18next.exists(key))
}

function rangeKey(code: number): string {
  const range = errorRanges.find(([first, last]) => code >= first && code <= last)
  const key = `error.range.${range?.[0]}`
  return i18next.exists(key) ? key : 'error.undefined'
}

/** What the message names after its last colon, when the answer does not carry it as data (behaviour: api.names-device). */
function subjectOf(code: number, message: string): Record<string, string> {
  const subject = parseSubject(message) ?? ''
  return serialAfterColon.includes(code) ? { sn: subject } : {}
}

/** A department by its name, where this window has met it; by its number otherwise. */
function departmentOf(code: number, message: string, values: Record<string, unknown>): Record<string, string> {
  if (!departmentAfterColon.includes(code)) return {}
  const given = String(values.departmentId ?? parseSubject(message) ?? '')
  return { departmentId: knownDepartment(Number(given)) ?? given }
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function textOfStatus({ status, message }: ApiError): string {
  if (status === 404) return i18next.t('message.apiNotFound')
  if (status === 408) return i18next.t('message.serviceTimeout')
  if (status === 500) return i18next.t('message.serverError')
  return message === '' ? i18next.t('message.apiError') : message
}
