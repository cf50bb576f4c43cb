import type { WebSocket } from 'ws'
import type { LiveMessage } from './notify.ts'

/** One open connection of one browser. */
export interface Member {
  readonly userId: number
  readonly sessionHash: Buffer
  readonly ip: string
  readonly socket: WebSocket
}

type Say = (message: LiveMessage['message']) => void
type Listener = (member: Member, message: Readonly<Record<string, unknown>>, say: Say) => void

/** What browsers say on their live connection, by its type. What nobody listens for, or is no message, is passed over. */
export const createLiveMessages = () => {
  const listeners = new Map<string, Listener>()
  return {
    on: (type: string, listener: Listener) => {
      if (listeners.has(type)) throw new Error(`two listeners for the word ${type}`)
      listeners.set(type, listener)
    },
    hear: (member: Member, text: string, say: Say) => {
      let message: unknown
      try {
        message = JSON.parse(text)
      } catch {
        return
      }
      if (typeof message !== 'object' || message === null || !('type' in message)) return
      listeners.get(String(message.type))?.(member, message as Record<string, unknown>, say)
    },
  }
}

export type LiveMessages = ReturnType<typeof createLiveMessages>
