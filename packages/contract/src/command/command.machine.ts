import { defineMachine } from '../kit/index.ts'

export const commandStates = ['queued', 'sent', 'acknowledged', 'done', 'failed', 'expired', 'cancelled'] as const
export type CommandState = (typeof commandStates)[number]

/** One command on one device. It is done once: a repeated or late answer of the device changes nothing. */
export const commandMachine = defineMachine({
  states: commandStates,
  events: {
    /** Handed to the broker while the device is connected; a device that reconnects is sent it again. */
    send: { from: ['queued', 'sent'], to: 'sent' },
    acknowledge: { from: ['queued', 'sent'], to: 'acknowledged' },
    succeed: { from: ['queued', 'sent', 'acknowledged'], to: 'done' },
    fail: { from: ['queued', 'sent', 'acknowledged'], to: 'failed' },
    expire: { from: ['queued', 'sent', 'acknowledged'], to: 'expired' },
    cancel: { from: ['queued'], to: 'cancelled' },
    retry: { from: ['failed', 'expired'], to: 'queued' },
  },
})
