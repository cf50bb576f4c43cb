import { type ApiError, isApiError } from '@campanile/client'
import i18next from 'i18next'

export type ErrorText = { title: string; text: string; link?: { label: string; to: string } }

/** §8: these name a device after the last colon of the server's message. */
const serialCodes = new Set([93028, 93029, 93030, 93034, 93035, 93026, 93027, 93022, 93010, 53084, 63043])

/** After the last ASCII or full-width colon. */
export function afterColon(message: string): string | undefined {
  const tail = /[:：]([^:：]*)$/.exec(message)?.[1]?.trim()
  return tail === undefined || tail === '' ? undefined : tail
}

export function describeError(error: unknown): ErrorText {
  if (!isApiError(error)) {
    return { title: i18next.t('signIn.error.title'), text: error instanceof Error ? error.message : String(error) }
  }
  if (error.kind === 'api') return describeCode(error)
  if (error.kind === 'http') {
    return { title: i18next.t('signIn.error.titleCode', { code: error.status }), text: textOfStatus(error) }
  }
  const text = i18next.t(error.kind === 'timeout' ? 'signIn.error.timeout' : 'signIn.error.network')
  return { title: i18next.t('signIn.error.title'), text }
}

function describeCode(error: ApiError): ErrorText {
  const title = i18next.t('signIn.error.titleCode', { code: error.code })
  const sn = serialCodes.has(error.code) ? afterColon(error.message) : undefined
  const text = textOfCode(error)
  if (sn === undefined) return { title, text }
  return { title, text, link: { label: sn, to: `/device/list/detail/${encodeURIComponent(sn)}` } }
}

/** Our catalogue, then the server's own words, then an admission. */
function textOfCode({ code, message, data }: ApiError): string {
  // Code 0 and a missing code (100004) are the same condition: the service is busy.
  const key = `error.${code === 0 ? 100004 : code}`
  const values = typeof data === 'object' && data !== null ? data : {}
  if (i18next.exists(key)) return i18next.t(key, { ...values })
  return message === '' ? i18next.t('signIn.error.undefined') : message
}

function textOfStatus({ status, message }: ApiError): string {
  if (status === 408) return i18next.t('signIn.error.serviceTimeout')
  if (status === 500) return i18next.t('signIn.error.server')
  return message === '' ? i18next.t('signIn.error.api') : message
}
