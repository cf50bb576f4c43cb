import { useEffect, useState } from 'react'

/** A minute between two messages: the server sends no sooner. */
const waitSeconds = 60

/** Seconds until a code may be sent again. */
export function useCountdown() {
  const [left, setLeft] = useState(0)
  useEffect(() => {
    if (left === 0) return
    const timer = setTimeout(() => setLeft(left - 1), 1_000)
    return () => clearTimeout(timer)
  }, [left])
  return { left, start: () => setLeft(waitSeconds) }
}
