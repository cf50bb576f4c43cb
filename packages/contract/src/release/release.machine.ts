import { defineMachine } from '../kit/index.ts'

/** A device of a release as people read it. `published` is meant for the release and has not begun, told of it or not. */
export const releaseDeviceStates = [
  'published',
  'downloading',
  'upgrading',
  'succeeded',
  'failed',
  'pendingRetry',
  'cancelled',
] as const
export type ReleaseDeviceState = (typeof releaseDeviceStates)[number]

/** It has not come to its end: of these a device has one at most of a kind. */
export const openDeviceStates = ['published', 'downloading', 'upgrading', 'pendingRetry'] as const

/** One device of a release. A late or repeated report finds nothing it could change. */
export const releaseDeviceMachine = defineMachine({
  states: releaseDeviceStates,
  events: {
    download: { from: ['published', 'pendingRetry'], to: 'downloading' },
    upgrade: { from: ['published', 'downloading', 'pendingRetry'], to: 'upgrading' },
    succeed: { from: openDeviceStates, to: 'succeeded' },
    fail: { from: openDeviceStates, to: 'failed' },
    /** By itself: it is tried again after a while. */
    retryLater: { from: ['published', 'downloading', 'upgrading'], to: 'pendingRetry' },
    /** By a person, for single devices (behaviour: releases.cancel). */
    cancel: { from: ['upgrading', 'pendingRetry'], to: 'cancelled' },
    /** By a person (behaviour: releases.retry). */
    retry: { from: ['failed'], to: 'pendingRetry' },
    /** The whole release was stopped: what has not begun never will. */
    stop: { from: ['published', 'pendingRetry'], to: 'cancelled' },
  },
})

/** What became of it on a device, for lists that tell no steps. */
export const releaseResults = ['unprocessed', 'downloading', 'success', 'failure', 'pendingRetry', 'cancelled'] as const
export type ReleaseResult = (typeof releaseResults)[number]
export const resultOfState: Readonly<Record<ReleaseDeviceState, ReleaseResult>> = {
  published: 'unprocessed',
  downloading: 'downloading',
  upgrading: 'downloading',
  succeeded: 'success',
  failed: 'failure',
  pendingRetry: 'pendingRetry',
  cancelled: 'cancelled',
}

/** `stopping`: nobody new is told; what has begun comes to its end. */
export const releaseStates = ['waiting', 'running', 'paused', 'stopping', 'ended'] as const
export type ReleaseState = (typeof releaseStates)[number]

export const releaseMachine = defineMachine({
  states: releaseStates,
  events: {
    begin: { from: ['waiting'], to: 'running' },
    pause: { from: ['waiting', 'running'], to: 'paused' },
    resume: { from: ['paused'], to: 'running' },
    stop: { from: ['waiting', 'running', 'paused'], to: 'stopping' },
    end: { from: ['running', 'paused', 'stopping'], to: 'ended' },
    /** What failed is tried again after the end. */
    reopen: { from: ['ended'], to: 'running' },
  },
})

/** What became of it, worked out from its devices; `stopped`: people ended it before everybody was told. */
export const releaseProgress = ['inProgress', 'success', 'failed', 'partialSuccess', 'stopped'] as const
export const taskProgress = ['inProgress', 'ended'] as const

/** Of one wave. `baking`: all of it has ended, and it is looked at for a while before the next begins. */
export const waveStates = ['waiting', 'running', 'baking', 'done', 'paused', 'stopped'] as const

/** Why a release stands still; all but the first are its own doing. */
export const pauseReasons = ['byPerson', 'tooManyFailed', 'tooFewSucceeded', 'notHealthy', 'itemGone'] as const
export type PauseReason = (typeof pauseReasons)[number]
/** The sentence that says why, with the figures behind it. */
export const pausedKey = (reason: PauseReason): string => `release.because.${reason}`
