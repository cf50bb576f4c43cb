import { defineNeeds } from '../kit/index.ts'
import { user } from './user.resource.ts'

/** People who cannot sign in until somebody helps them. */
export const identityNeeds = defineNeeds('user', {
  locked: { rows: user, at: '/system/user', level: 'minor' },
})
