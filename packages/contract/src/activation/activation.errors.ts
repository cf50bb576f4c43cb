import { defineErrors } from '../kit/errors.ts'

export const activationErrors = defineErrors({
  // Activation authorisation and codes (204001-204057, shared with device)
  authorisationMissing: { code: 204005, status: 409, values: ['sn'] },
  authorisationUsedUp: { code: 204006, status: 409 },
  authorisationExpired: { code: 204007, status: 409, values: ['sn'] },
  codeFormatWrong: { code: 204030, status: 400, field: 'codes', values: ['line'] },
  codeExists: { code: 204031, status: 409, field: 'codes', values: ['line'] },
  codeUsed: { code: 204032, status: 409 },
  codeNotFound: { code: 204033, status: 404 },
  alreadyActivated: { code: 204035, status: 409, values: ['sn'] },
  codeTooWeak: { code: 204048, status: 400, field: 'codes', values: ['line'] },
  tooManyUnused: { code: 204037, status: 409, field: 'codes', values: ['limit'] },
  serialLocked: { code: 204036, status: 429, values: ['sn', 'minutes'] },
})
