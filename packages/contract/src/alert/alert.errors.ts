import { defineErrors } from '../kit/errors.ts'

export const alertErrors = defineErrors({
  // Alerts (206001-206004)
  notFound: { code: 206001, status: 404 },
  alreadyResolved: { code: 206002, status: 409 },
  handlerNotAllowed: { code: 206003, status: 400, field: 'handlerUserId' },
  resolutionTimeWrong: { code: 206004, status: 400, field: 'resolutionTime' },
})
