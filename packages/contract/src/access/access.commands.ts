import { deviceErrors } from '../device/device.errors.ts'
import { defineCommands, number, optional } from '../kit/index.ts'

/** A door is opened now or not at all: nobody wants one to open an hour later, when its device comes back. */
const door = { perm: 'device:list:door', group: 'doors', waitMinutes: 1, errors: [deviceErrors.offline.code] } as const

export const accessCommands = defineCommands('access', {
  /** For as long as its device is set to, or as it is asked to. */
  doorOpen: { ...door, args: { seconds: optional(number(1, 600)) } },
  doorClose: { ...door, args: {}, repeatable: true },
  /** Until it is closed. */
  doorKeepOpen: { ...door, args: {}, repeatable: true },
})
