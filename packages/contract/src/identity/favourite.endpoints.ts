import { z } from 'zod'
import { defineEndpoint, done, idOf, madeRow, text } from '../kit/index.ts'

const mine = { perm: 'signedIn', scope: 'self' } as const

const favourite = z.object({
  id: z.number(),
  /** An address of the console, with its query. */
  path: z.string(),
  /** What the page called itself; a page of the menu goes by its entry. */
  title: z.string().nullable(),
})
export type Favourite = z.output<typeof favourite>
const viewOfList = z.object({
  id: z.number(),
  name: z.string(),
  /** What the list asks for; by it the menu knows its page. */
  perm: z.string(),
  search: z.string(),
})
export type ViewOfList = z.output<typeof viewOfList>

/** What stands above the entries of the menu: pages with a star, and the saved views of every list the caller may see. */
export const favourites = defineEndpoint({
  name: 'favourites',
  method: 'GET',
  path: '/api/v1/oauth/favourites',
  ...mine,
  input: z.strictObject({}),
  answer: z.object({ rows: z.array(favourite), views: z.array(viewOfList) }),
})
export const addFavourite = defineEndpoint({
  name: 'addFavourite',
  method: 'POST',
  path: '/api/v1/oauth/favourites',
  ...mine,
  quiet: true,
  input: z.strictObject({
    // A path of this console: `//host` and `/\host` would leave it.
    path: z
      .string()
      .max(1000)
      .regex(/^\/(?![/\\])\S*$/),
    title: text(128).schema.optional(),
  }),
  answer: madeRow,
})
export const removeFavourite = defineEndpoint({
  name: 'removeFavourite',
  method: 'DELETE',
  path: '/api/v1/oauth/favourites',
  ...mine,
  quiet: true,
  input: z.strictObject({ id: idOf('favourite') }),
  answer: done,
})

export const favouriteEndpoints = [favourites, addFavourite, removeFavourite]
