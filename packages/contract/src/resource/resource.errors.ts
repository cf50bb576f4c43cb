import { defineErrors } from '../kit/errors.ts'

export const resourceErrors = defineErrors({
  nameExists: { code: 300001, status: 409, field: 'name' },
  inUse: { code: 300002, status: 409 },
  // Their releases answer as those of apps (53000-53093), which have no word for this
  notFound: { code: 53050, status: 404 },
})
