/**
 * The word a device gives as its reason when an update has failed, alone or with what only it can know behind it:
 * `notEnoughSpace`, `lowBattery: 12 %`. People read each in their own language; what is no word of these is shown as it is.
 */
export const updateFaults = [
  /** The machine has not enough free space for the file and for what is made of it. */
  'notEnoughSpace',
  /** The manifest cannot be read, is for something else, or says other than the command. */
  'manifestWrong',
  'signatureDiffers',
  /** The device has no key to verify with, and could not get one. */
  'keyMissing',
  /** The command or the manifest was valid until earlier. */
  'expired',
  'modelDiffers',
  /** A differential package starts from another version than the device has. */
  'baseDiffers',
  /** The device has a newer version, and nobody asked for the older one. */
  'olderVersion',
  'sizeDiffers',
  'digestDiffers',
  /** The address of the file is no longer served. */
  'linkExpired',
  'downloadFailed',
  /** What came cannot be unpacked, put in place or started. */
  'installFailed',
  /** The new version did not prove itself in time; the device is back on the one before. */
  'notHealthy',
  'lowBattery',
  /** Wi-Fi was asked for, and the device has another network. */
  'wrongNetwork',
  'timeOut',
  /** The app is not on this device, or is none that it looks after. */
  'notInstalled',
  /** Somebody at the device has said no. */
  'refusedByUser',
] as const
export type UpdateFault = (typeof updateFaults)[number]

/** What a device gave as its reason, in its two parts; without a word where it is none of ours. */
export const readUpdateFault = (reason: string): { readonly fault?: UpdateFault; readonly detail: string } => {
  const [, word = '', detail = ''] = /^(\w+)(?:: ?(.*))?$/s.exec(reason) ?? []
  const fault = updateFaults.find((known) => known === word)
  return fault ? { fault, detail } : { detail: reason }
}
