import { defineErrors } from '../kit/errors.ts'

export const resourceErrors = defineErrors({
  nameExists: { code: 300001, status: 409, field: 'name' },
  inUse: { code: 300002, status: 409 },
})
