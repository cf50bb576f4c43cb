import { z } from 'zod'
import {
  choice,
  decimal,
  type ErrorSpec,
  mono,
  namedBy,
  number,
  optional,
  type Perm,
  readOnly,
  text,
  timestamp,
  untold,
} from '../kit/index.ts'
import { releaseDeviceMachine, releaseDeviceStates } from './release.machine.ts'
import { releaseDeviceFields, releaseFields } from './release.resource.ts'

/** The devices of all releases of one kind, each as often as it took part. */
export const releaseResultFields = {
  ...releaseDeviceFields,
  state: readOnly(namedBy((state) => `releaseDevice.option.state.${state}`, choice(releaseDeviceStates))),
  /** Of its release. */
  number: releaseFields.number,
  action: releaseFields.action,
  itemName: releaseFields.itemName,
  itemVersion: releaseFields.itemVersion,
  /** What was released, by what its kind is counted by; the same as in `releaseStatisticFields`. */
  itemKey: untold(readOnly(text(255))),
  /** When its release was made. */
  createTime: readOnly(timestamp()),
}
/** All of those that were chosen, whichever releases they are of, or none and the first that cannot is named. */
export const resultActions = (
  perms: { readonly cancel: Perm; readonly retry: Perm },
  errors: { readonly notCancellable: ErrorSpec; readonly notRetryable: ErrorSpec },
) =>
  ({
    cancel: {
      on: 'rows',
      perm: perms.cancel,
      moves: { machine: releaseDeviceMachine, event: 'cancel', field: 'state', refusal: errors.notCancellable },
      answer: z.object({ cancelled: z.number().int() }),
    },
    retry: {
      on: 'rows',
      perm: perms.retry,
      moves: { machine: releaseDeviceMachine, event: 'retry', field: 'state', refusal: errors.notRetryable },
      answer: z.object({ retried: z.number().int() }),
    },
  }) as const

const figure = () => readOnly(number(0, Number.MAX_SAFE_INTEGER))
/**
 * What became of everything that was released, item by item (behaviour: releases.statistics): of the releases that were made in the period `createTime` asks
 * for, or of all. A device counts as often as it took part.
 */
export const releaseStatisticFields = {
  /** As it was called when it was released last. */
  itemName: readOnly(text(255)),
  itemVersion: readOnly(optional(mono(128))),
  itemKey: untold(readOnly(text(255))),
  versions: figure(),
  releases: figure(),
  total: figure(),
  succeeded: figure(),
  failed: figure(),
  /** Those that have not come to an end. */
  pending: figure(),
  cancelled: figure(),
  /** Of those that succeeded or failed, in per cent; nothing where none has. */
  rate: readOnly(optional(decimal(0, 100, 1))),
  /** When it was released last. */
  createTime: readOnly(timestamp()),
}
