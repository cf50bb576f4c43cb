import { mono, number, optional, toggle } from '../kit/index.ts'

/** The signed promise about a file, in one line. It goes down in a message of 64 KiB together with everything else. */
export const manifestLine = () => mono(16 * 1024, /^[\w-]+\.[\w-]+$/)

/** When a device fetches what a command names, and how fast at the most. */
export const fetchConditions = {
  minBattery: optional(number(0, 100)),
  wifiOnly: optional(toggle()),
  bytesPerSecond: optional(number(1024, 1_000_000_000)),
}
