import type { ActivityStep } from '@campanile/contract/device'
import { timeText } from '../../kit/time.ts'

const dayMs = 86_400_000

/** How long a look back, and in which steps it can be drawn (behaviour: devices.periods). */
export const spans = {
  '7d': { days: 7, steps: ['hour', 'day'] },
  '30d': { days: 30, steps: ['day', 'hour', 'week'] },
  '3m': { days: 91, steps: ['week', 'day', 'month'] },
  '6m': { days: 182, steps: ['week', 'day', 'month'] },
  '12m': { days: 365, steps: ['month', 'week'] },
} as const
export type Span = keyof typeof spans
export type ActivityUnit = (typeof spans)[Span]['steps'][number]
export const units = { hour: 1, day: 2, week: 3, month: 4 } as const
const unitMs = { hour: 3_600_000, day: dayMs, week: 7 * dayMs, month: 31 * dayMs } as const

const isSpan = (text: string | null): text is Span => text !== null && Object.hasOwn(spans, text)

/** What the address says, and what can be drawn of it. */
export const readView = (search: URLSearchParams): { span: Span; unit: ActivityUnit } => {
  const asked = search.get('span')
  const span = isSpan(asked) ? asked : '7d'
  const steps: readonly ActivityUnit[] = spans[span].steps
  return { span, unit: steps.find((step) => step === search.get('step')) ?? spans[span].steps[0] }
}

/** Whole minutes, so that one look and the next ask the same. */
export const rangeOf = (span: Span, now: number) => {
  const to = Math.floor(now / 60_000) * 60_000
  return { startTime: new Date(to - spans[span].days * dayMs).toISOString(), endTime: new Date(to).toISOString() }
}

/** Points of both lines; steps that nobody counted are holes. */
export const linesOf = (rows: readonly ActivityStep[]) => {
  const pointsOf = (value: (row: ActivityStep) => number | null) =>
    rows.flatMap((row) => {
      const n = value(row)
      return n === null ? [] : [{ t: Date.parse(row.time), min: n, avg: n, max: n }]
    })
  return { now: pointsOf(({ active }) => active), before: pointsOf(({ previous }) => previous) }
}

export const stepMs = (unit: ActivityUnit) => unitMs[unit]

/** Hours by the reader's clock; longer steps begin at the server's midnight, so they are called by its date. */
export const stepText = (unit: ActivityUnit) => (t: number) => {
  const time = new Date(t)
  if (unit === 'hour') return timeText(time).slice(5)
  return unit === 'month' ? time.toISOString().slice(0, 7) : time.toISOString().slice(0, 10)
}
