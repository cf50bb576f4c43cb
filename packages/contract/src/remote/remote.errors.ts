import { defineErrors } from '../kit/errors.ts'

export const remoteErrors = defineErrors({
  // Remote sessions (93002-93035, shared with command)
  inUse: { code: 93002, status: 409, values: ['holder'] },
  noFreePort: { code: 93003, status: 503 },
  tunnelNotStarted: { code: 93004, status: 503 },
  urlInvalid: { code: 93005, status: 400, field: 'url' },
  sessionNotFound: { code: 93006, status: 404 },
  kindNotSupported: { code: 93007, status: 409, values: ['sn'] },
  notHolder: { code: 93008, status: 403 },
})
