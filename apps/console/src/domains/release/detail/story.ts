import type { AnswerOf } from '@campanile/contract/kit'
import type { releaseDetail, releaseDeviceStates } from '@campanile/contract/release'
import type { StateTone } from '../../../kit/index.ts'

export type Detail = AnswerOf<typeof releaseDetail>
export type Wave = Detail['waves'][number]
type DeviceState = (typeof releaseDeviceStates)[number]

export const toneOfRelease = {
  waiting: 'off',
  running: 'accent',
  paused: 'bad',
  stopping: 'warning',
  ended: 'off',
} as const satisfies Record<Detail['row']['state'], StateTone>

export const toneOfProgress = {
  inProgress: 'accent',
  success: 'good',
  failed: 'bad',
  partialSuccess: 'warning',
  stopped: 'off',
} as const satisfies Record<Detail['row']['progress'], StateTone>

export const toneOfWave = {
  waiting: 'off',
  running: 'accent',
  baking: 'accent',
  done: 'good',
  paused: 'bad',
  stopped: 'off',
} as const satisfies Record<Wave['state'], StateTone>

export const toneOfDevice = {
  published: 'off',
  downloading: 'accent',
  upgrading: 'accent',
  succeeded: 'good',
  failed: 'bad',
  pendingRetry: 'warning',
  cancelled: 'off',
} as const satisfies Record<DeviceState, StateTone>

/** The states of all that do not wait for their wave, with figures that add up to them. */
export const figuresOf = (row: Detail['row']): readonly (readonly [DeviceState, number])[] => [
  ['published', row.published - row.waiting],
  ['downloading', row.downloading],
  ['upgrading', row.upgrading],
  ['succeeded', row.succeeded],
  ['failed', row.failed],
  ['pendingRetry', row.pendingRetry],
  ['cancelled', row.cancelled],
]

/** Parts of the devices that people look at; each is a filter of the list, so that it is found by its address. */
export const segments = {
  told: { told: true },
  failed: { state: ['failed'] },
  open: { told: true, state: ['published', 'downloading', 'upgrading', 'pendingRetry'] },
  succeeded: { state: ['succeeded'] },
  waiting: { told: false, state: ['published'] },
} as const
export type Segment = keyof typeof segments

/** Which of them a filter is; none where it is another. */
export const segmentOf = (filters: Readonly<Record<string, unknown>>): Segment | undefined => {
  const { told, state } = filters
  return (Object.keys(segments) as Segment[]).find((name) => {
    const segment: { told?: boolean; state?: readonly string[] } = segments[name]
    return segment.told === told && String(segment.state ?? '') === String(state ?? '')
  })
}

export const countOf = (row: Detail['row'], segment: Segment): number => {
  const { told, waiting, failed, succeeded, published, downloading, upgrading, pendingRetry } = row
  return { told, waiting, failed, succeeded, open: published - waiting + downloading + upgrading + pendingRetry }[
    segment
  ]
}

const two = (value: number) => String(value).padStart(2, '0')
/** `11:09`, or with the day where that is another one. */
export const clockText = (time: string, now: Date): string => {
  const at = new Date(time)
  const clock = `${two(at.getHours())}:${two(at.getMinutes())}`
  const isToday = at.toDateString() === now.toDateString()
  return isToday ? clock : `${two(at.getMonth() + 1)}-${two(at.getDate())} ${clock}`
}
/** `11:09:41`. */
export const secondText = (time: string): string => {
  const at = new Date(time)
  return `${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}`
}
