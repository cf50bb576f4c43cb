import { liveClosing } from '@campanile/contract/identity'
import { useEffect, useEffectEvent } from 'react'
import { create } from 'zustand'
import { api } from './api.ts'
import { apiBase } from './apiBase.ts'

/** What the server says without being asked. */
export type LiveMessage = { type: string } & Record<string, unknown>

type Listener = (message: LiveMessage) => void

const listeners = new Set<{ type: string; tell: Listener }>()
let open: WebSocket | undefined

/** Whether the connection was there and is gone: until it is back nothing on the screen follows the world. */
export const useLiveLost = create<{ lost: boolean }>(() => ({ lost: false }))

const firstPauseMs = 1_000
const longestPauseMs = 30_000

const isMessage = (value: unknown): value is LiveMessage =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'

function receive(text: unknown): void {
  let message: unknown
  try {
    message = JSON.parse(String(text))
  } catch {
    return
  }
  if (!isMessage(message)) return
  spread(message)
}

function spread(message: LiveMessage): void {
  for (const { type, tell } of listeners) if (type === message.type) tell(message)
}

/** A word to the server. Lost while there is no connection: whoever needs it says it again on the word `connected`. */
export function sayLive(message: LiveMessage): void {
  if (open?.readyState === WebSocket.OPEN) open.send(JSON.stringify(message))
}

/** One socket for the whole console; lost, it comes back by itself, waiting longer each time. */
export function startLive(): () => void {
  let stopped = false
  let socket: WebSocket | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  let pause = firstPauseMs

  const again = () => {
    if (stopped) return
    timer = setTimeout(connect, pause)
    pause = Math.min(Math.max(pause * 2, firstPauseMs), longestPauseMs)
  }

  const connect = async () => {
    try {
      const { ticket } = await api.call<{ ticket: string }>('POST', '/api/v1/oauth/liveTicket')
      if (stopped) return
      socket = new WebSocket(`${apiBase.replace(/^http/, 'ws')}/api/live?ticket=${encodeURIComponent(ticket)}`)
      socket.onopen = () => {
        pause = firstPauseMs
        open = socket
        useLiveLost.setState({ lost: false })
        spread({ type: 'connected' })
      }
      socket.onmessage = ({ data }) => receive(data)
      socket.onclose = ({ code }) => {
        // It says too much: it is quiet for as long as it may be.
        if (code === liveClosing.tooMany) pause = longestPauseMs
        // Its session is over, but a new token may have taken that one's place: whether this person is still signed in is
        // answered by asking for the next connection.
        if (code === liveClosing.ended) pause = 0
        if (!stopped) useLiveLost.setState({ lost: true })
        again()
      }
    } catch {
      again()
    }
  }

  void connect()
  return () => {
    stopped = true
    clearTimeout(timer)
    socket?.close()
  }
}

/** Runs while the page is in front. */
export function useLive(type: string, tell: Listener): void {
  const latest = useEffectEvent(tell)
  useEffect(() => {
    const listener = { type, tell: (message: LiveMessage) => latest(message) }
    listeners.add(listener)
    return () => void listeners.delete(listener)
  }, [type])
}
