import { mayWaitLonger } from '@campanile/contract/command'
import { useState } from 'react'

const minutesADay = 24 * 60
export const waitDays = [1, 3, 7, 30] as const

export interface Timing {
  readonly kind: 'now' | 'time' | 'window' | 'online'
  readonly time: string | null
  readonly days: (typeof waitDays)[number]
}
const start: Timing = { kind: 'now', time: null, days: 7 }

export const useTiming = (kept: Timing = start) => {
  const [value, set] = useState(kept)
  return { value, change: (part: Partial<Timing>) => set((before) => ({ ...before, ...part })) }
}
export type UsedTiming = ReturnType<typeof useTiming>

/** What is still to be chosen before anybody can say who receives it, and when. */
const wanted = ['targets', 'command', 'args', 'time'] as const
export type Missing = (typeof wanted)[number]
export const missingOf = (chosen: Readonly<Record<Missing, unknown>>): Missing | undefined =>
  wanted.find((each) => !chosen[each])

export interface TimingInput {
  readonly sendTime?: string
  readonly waitMinutes?: number
  readonly maintenance?: true
}

/** As the order says it; a time that is not to come is wrong. */
export const timingOf = (
  { kind, time, days }: Timing,
  command: { readonly waitMinutes: number } | undefined,
): { wrong: boolean; input: TimingInput } => {
  if (kind === 'time')
    return time !== null && Date.parse(time) > Date.now()
      ? { wrong: false, input: { sendTime: time } }
      : { wrong: true, input: {} }
  if (kind === 'window') return { wrong: false, input: { maintenance: true } }
  const longer = kind === 'online' && command !== undefined && mayWaitLonger(command)
  return { wrong: false, input: longer ? { waitMinutes: days * minutesADay } : {} }
}

/** Of those who receive it, how many at once and how many when their time has come. */
export const shareOf = (
  hit: number,
  { sendTime }: TimingInput,
  windows: readonly { readonly open: boolean; readonly devices: number }[] = [],
): { now: number; later: number } => {
  const shut = windows.reduce((sum, { open, devices }) => sum + (open ? 0 : devices), 0)
  const later = sendTime === undefined ? shut : hit
  return { now: hit - later, later }
}
