import { useEffect, useEffectEvent, useRef } from 'react'
import { useLive } from '../../../shell/live.ts'

const atMostEveryMs = 1_000

/** Calls when a task has moved on, at most once a second: ten thousand devices answer faster than a screen reads. */
export const useTaskNews = (onNews: () => unknown, id?: number) => {
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)
  const tell = useEffectEvent(onNews)
  useEffect(() => () => clearTimeout(timer.current), [])
  useLive('task', (told) => {
    if (id !== undefined && told.id !== id) return
    timer.current ??= setTimeout(() => {
      timer.current = undefined
      tell()
    }, atMostEveryMs)
  })
}
