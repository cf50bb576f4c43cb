import { deviceFaults } from './update-faults.ts'

/**
 * Why an update failed on a device, in words of ours: a device answers `failed` with `error` as one of them, or as one of
 * them with a colon and its own words behind it. Whatever else it says is shown as it is.
 */
export const updateFaults = [
  ...deviceFaults,
  'rolledBack',
  'timeOutPublished',
  'timeOutDownloading',
  'timeOutUpgrading',
  'windowClosed',
  'refused',
  'deviceRemoved',
  'itemGone',
  'unknown',
] as const
export type UpdateFault = (typeof updateFaults)[number]

/** Told again they would end the same: such a device is not tried again by itself. */
export const lastingFaults: readonly UpdateFault[] = [
  'signatureDiffers',
  'manifestExpired',
  'manifestInvalid',
  'modelDiffers',
  'baseDiffers',
  'olderVersion',
  'notInstalled',
  'declined',
  'rolledBack',
  'refused',
  'deviceRemoved',
  'itemGone',
]

const isFault = (word: string): word is UpdateFault => (updateFaults as readonly string[]).includes(word)

/** What a device gave as its reason: a word of ours and what it says beside it, or its own words alone. */
export const readFault = (error: string | null): { readonly fault: UpdateFault; readonly detail: string | null } => {
  const [word = '', ...rest] = (error ?? '').split(':')
  if (isFault(word.trim())) return { fault: word.trim() as UpdateFault, detail: rest.join(':').trim() || null }
  return { fault: 'unknown', detail: error?.trim() || null }
}

/** Where people find the words of a fault, or of the code that kept a device from taking it. */
export const faultKeys = (fault: string): readonly string[] => [
  `releaseDevice.fault.${fault}`,
  `command.refusal.${fault}`,
  `error.${fault}`,
]
