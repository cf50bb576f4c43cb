import type { AppTraffic, deviceTraffic } from '@campanile/contract/device'
import type { AnswerOf } from '@campanile/contract/kit'
import dayjs from 'dayjs'

/** What is looked at: a month, or from one day to another, both included. */
export type Span = { readonly month: string } | { readonly startDate: string; readonly endDate: string }

export type Day = AnswerOf<typeof deviceTraffic>['days'][number]
export const networks = {
  all: ['mobileUp', 'mobileDown', 'wifiUp', 'wifiDown'],
  mobile: ['mobileUp', 'mobileDown'],
  wifi: ['wifiUp', 'wifiDown'],
} as const satisfies Record<string, readonly (keyof Day & keyof AppTraffic)[]>
export type Network = keyof typeof networks

export const usedOn = (day: Day, network: Network) => networks[network].reduce((sum, name) => sum + day[name], 0)

export const thisMonth = (): Span => ({ month: dayjs().format('YYYY-MM') })

/** Every day of the span, told of or not: so that a place in a chart is a date. */
export const datesOf = (span: Span): string[] => {
  const first = dayjs('month' in span ? `${span.month}-01` : span.startDate)
  const days = 'month' in span ? first.daysInMonth() : dayjs(span.endDate).diff(first, 'day') + 1
  return Array.from({ length: days }, (_, at) => first.add(at, 'day').format('YYYY-MM-DD'))
}

export const spanName = (span: Span) => ('month' in span ? span.month : `${span.startDate} – ${span.endDate}`)
