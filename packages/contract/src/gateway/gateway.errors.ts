import { defineErrors } from '../kit/errors.ts'

export const gatewayErrors = defineErrors({
  missingParameter: { code: 100001, status: 400 },
  wrongFormat: { code: 100002, status: 400 },
  serviceBusy: { code: 100004, status: 500 },
  tooFrequent: { code: 100005, status: 429 },
  sessionEnded: { code: 100006, status: 401 },
  tokenVerificationFailed: { code: 100012, status: 401 },
  noPermission: { code: 100013, status: 403 },
  accessTokenMissing: { code: 100015, status: 401 },
  resourceNotFound: { code: 100017, status: 404 },
  serviceTimeout: { code: 100018, status: 503 },
  rateLimit: { code: 100020, status: 429 },
})
