import { api } from '../api.ts'
import { useRuntime } from '../runtime.ts'

/** Someone who types for long makes no calls; the server must still see that they are there. */
export function keepSessionAlive(): () => void {
  const everyMs = (useRuntime.getState().sessionIdleMinutes * 60_000) / 3
  let active = false
  const notice = () => {
    active = true
  }
  const timer = setInterval(() => {
    if (!active) return
    active = false
    // A failure needs no word here: the next real call tells what is wrong.
    api.call('POST', '/api/v1/oauth/refreshSession', { origin: true }).catch(() => undefined)
  }, everyMs)
  window.addEventListener('pointerdown', notice)
  window.addEventListener('keydown', notice)
  return () => {
    clearInterval(timer)
    window.removeEventListener('pointerdown', notice)
    window.removeEventListener('keydown', notice)
  }
}
