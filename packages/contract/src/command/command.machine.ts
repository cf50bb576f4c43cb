import { defineMachine } from '../kit/index.ts'

/** `refused`: the device could not take it when the task began; it was never queued. */
export const commandStates = [
  'queued',
  'sent',
  'acknowledged',
  'done',
  'failed',
  'expired',
  'cancelled',
  'refused',
] as const
export type CommandState = (typeof commandStates)[number]

/** One command on one device. It is done once: a repeated or late answer of the device changes nothing. */
export const commandMachine = defineMachine({
  states: commandStates,
  events: {
    /** Handed to the broker while the device is connected; a device that reconnects is sent it again. */
    send: { from: ['queued', 'sent'], to: 'sent' },
    /**
     * The device has it and will end it. Asked again under the same id, it says how it stands; one that has forgotten it
     * does it then.
     */
    acknowledge: { from: ['queued', 'sent'], to: 'acknowledged' },
    succeed: { from: ['queued', 'sent', 'acknowledged'], to: 'done' },
    fail: { from: ['queued', 'sent', 'acknowledged'], to: 'failed' },
    expire: { from: ['queued', 'sent', 'acknowledged'], to: 'expired' },
    cancel: { from: ['queued'], to: 'cancelled' },
    /** A person no longer waits for what the device has; it may still do it. */
    giveUp: { from: ['sent', 'acknowledged'], to: 'cancelled' },
    retry: { from: ['failed', 'expired', 'cancelled', 'refused'], to: 'queued' },
  },
})

/** Why a command ended as it did, in words of our own; what a device gives as its reason stands in the same place. */
export const commandReasons = {
  deviceRemoved: 'deviceRemoved',
  tooLargeForDevice: 'tooLargeForDevice',
  /** The device said `done` and the file it was asked for had not come. */
  fileMissing: 'fileMissing',
  /** Expired: its maintenance window was over, or the time it waits for its device. */
  windowClosed: 'windowClosed',
  timeLimit: 'timeLimit',
  givenUp: 'givenUp',
  doneAfterAll: 'doneAfterAll',
  failedAfterAll: 'failedAfterAll',
} as const
