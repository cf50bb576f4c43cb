import { z } from 'zod'
import { defineEndpoint, done, idOf, madeRow, text } from '../kit/index.ts'

// Apart from what else is personal: every list of the console asks for its saved views, and fetches this file for it.

const mine = { perm: 'signedIn', scope: 'self' } as const

const savedView = z.object({
  id: z.number(),
  resource: z.string(),
  name: z.string(),
  /** The list's query text and its column settings. */
  state: z.object({
    search: z.string(),
    columns: z.array(z.string()).exactOptional(),
    hidden: z.array(z.string()).exactOptional(),
    density: z.string().exactOptional(),
  }),
  shared: z.boolean(),
  isDefault: z.boolean(),
  own: z.boolean(),
  /** One's own, or a shared one of people one administers. */
  removable: z.boolean(),
})
export type SavedView = z.output<typeof savedView>
const view = {
  resource: z.string().max(64),
  name: text(64).schema,
  state: z.strictObject({
    search: z.string().max(4000),
    columns: z.array(z.string().max(64)).max(100).optional(),
    hidden: z.array(z.string().max(64)).max(100).optional(),
    density: z.string().max(16).optional(),
  }),
  shared: z.boolean().default(false),
  isDefault: z.boolean().default(false),
}
export const savedViews = defineEndpoint({
  name: 'savedViews',
  method: 'GET',
  path: '/api/v1/oauth/savedViews',
  ...mine,
  input: z.strictObject({ resource: z.string().max(64) }),
  answer: z.object({ rows: z.array(savedView) }),
})
export const saveView = defineEndpoint({
  name: 'saveView',
  method: 'POST',
  path: '/api/v1/oauth/savedViews',
  ...mine,
  quiet: true,
  input: z.strictObject({ id: idOf('savedView').optional(), ...view }),
  answer: madeRow,
})
export const removeView = defineEndpoint({
  name: 'removeView',
  method: 'DELETE',
  path: '/api/v1/oauth/savedViews',
  ...mine,
  quiet: true,
  input: z.strictObject({ id: idOf('savedView') }),
  answer: done,
})

export const viewEndpoints = [savedViews, saveView, removeView]
