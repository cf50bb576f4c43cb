import { defineErrors } from '../kit/errors.ts'

export const licenceErrors = defineErrors({
  // Third-party part of 130001-139008
  licencesUsedUp: { code: 139005, status: 409 },
  termTooLong: { code: 139000, status: 400, field: 'months', values: ['years'] },
})
