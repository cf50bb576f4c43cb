import { defineMachine } from '@campanile/contract/kit'

/** What people see of a file on its way. The server knows less: under way, or complete. */
export const uploadStates = ['waiting', 'uploading', 'success', 'failed', 'instantPass', 'paused', 'resumed'] as const
export type UploadState = (typeof uploadStates)[number]

const underWay = ['uploading', 'resumed'] as const
const open = ['waiting', ...underWay] as const

/** `resumed` sends like `uploading`, and says that what had arrived before was not sent again. */
export const uploadMachine = defineMachine({
  states: uploadStates,
  events: {
    begin: { from: ['waiting'], to: 'uploading' },
    arrive: { from: underWay, to: 'success' },
    /** The server holds the same bytes already. */
    pass: { from: underWay, to: 'instantPass' },
    pause: { from: open, to: 'paused' },
    resume: { from: ['paused'], to: 'resumed' },
    fail: { from: [...open, 'paused'], to: 'failed' },
    retry: { from: ['failed'], to: 'waiting' },
  },
})
export type UploadEvent = keyof typeof uploadMachine.events

export const isSending = (state: UploadState): boolean => (underWay as readonly UploadState[]).includes(state)
export const isThere = (state: UploadState): boolean => state === 'success' || state === 'instantPass'
