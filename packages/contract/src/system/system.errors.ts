import { defineErrors } from '../kit/errors.ts'

export const systemErrors = defineErrors({
  // Third-party part of 130001-139008
  // The address itself is a secret, so it is not said.
  smsPrivateAddress: { code: 139006, status: 400, field: 'smsWebhook' },
  smsNotConfigured: { code: 139007, status: 409 },
  smsNotSent: { code: 139008, status: 503 },
})
