import { defineErrors } from '../kit/errors.ts'

export const healthErrors = defineErrors({
  // Third-party part of 130001-139008
  interfaceUnavailable: { code: 139006, status: 503 },
})
