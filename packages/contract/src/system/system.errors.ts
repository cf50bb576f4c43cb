import { defineErrors } from '../kit/errors.ts'

export const systemErrors = defineErrors({
  // Third-party part of 130001-139008
  smsNotConfigured: { code: 139007, status: 409 },
  smsNotSent: { code: 139008, status: 503 },
})
