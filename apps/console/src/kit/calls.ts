import { createCalls } from '@campanile/client'
import { api } from '../shell/api.ts'

/** The declarations' calls over the console's one connection. */
export const calls = createCalls(api)
