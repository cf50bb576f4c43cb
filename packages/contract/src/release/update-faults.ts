/** The words a device itself gives as its reason when an update has failed: `notEnoughSpace`, `lowBattery: 12 %`. */
export const deviceFaults = [
  /** The machine has not enough free space for the file and for what is made of it. */
  'notEnoughSpace',
  'signatureDiffers',
  'digestDiffers',
  'sizeDiffers',
  'manifestExpired',
  /** The manifest cannot be read, is for something else, or says other than the command. */
  'manifestInvalid',
  /** The device has no key to verify with, and could not get one. */
  'keyMissing',
  /** The command was valid until earlier. */
  'expired',
  'modelDiffers',
  /** A differential package starts from another version than the device has. */
  'baseDiffers',
  /** The device has a newer version, and nobody asked for the older one. */
  'olderVersion',
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
  /** The app is not on this device, or is none that it looks after. */
  'notInstalled',
  /** Somebody at the device has said no. */
  'declined',
] as const
export type DeviceFault = (typeof deviceFaults)[number]
