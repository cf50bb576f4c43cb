import { create } from 'zustand'
import { apiBase } from './apiBase.ts'

type ConnectionState = 'online' | 'offline' | 'unreachable'

/** `offline`: this computer has no network. `unreachable`: it has, but the server does not answer. */
export const useConnection = create<{ state: ConnectionState }>(() => ({ state: 'online' }))

/** What is shown may not be so any more: pages are not turned. */
export const useAway = (): boolean => useConnection(({ state }) => state !== 'online')

const probeEveryMs = 5_000
let probe: ReturnType<typeof setInterval> | undefined

const setState = (state: ConnectionState) => {
  useConnection.setState({ state })
  // Rows of every list are dimmed by this mark.
  document.documentElement.dataset.away = String(state !== 'online')
}

function stopProbing(): void {
  clearInterval(probe)
  probe = undefined
}

async function ask(): Promise<void> {
  try {
    await fetch(`${apiBase}/healthz`, { credentials: 'omit', cache: 'no-store' })
    stopProbing()
    setState('online')
  } catch {
    // Still away; the next question follows.
  }
}

/** A call got no answer at all: say so, and ask until one comes. */
export function reportNoAnswer(): void {
  if (!navigator.onLine) {
    setState('offline')
    return
  }
  setState('unreachable')
  probe ??= setInterval(ask, probeEveryMs)
}

export function watchConnection(): () => void {
  const lost = () => setState('offline')
  const back = () => void ask()
  window.addEventListener('offline', lost)
  window.addEventListener('online', back)
  if (!navigator.onLine) lost()
  return () => {
    window.removeEventListener('offline', lost)
    window.removeEventListener('online', back)
    stopProbing()
  }
}
