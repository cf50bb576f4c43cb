import { choice, defineDeviceEvent, optional } from '../kit/index.ts'

/** What a door tells of itself. What somebody ordered is known already and not told again. */
export const doorChanged = defineDeviceEvent({
  type: 'doorChanged',
  texts: 'access',
  meaning:
    'the door of the device was opened or closed by somebody who stood before it, opened by force, or has stood open for too long; not for what a command did',
  data: {
    what: choice(['opened', 'closed', 'forced', 'heldOpen']),
    means: optional(choice(['button', 'card', 'face', 'code'])),
  },
})
