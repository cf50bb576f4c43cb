import { z } from 'zod'
import { defineEndpoint } from '../kit/index.ts'

/** Rows of each kind that a search answers. */
export const foundRowsMax = 5
/** So many of each kind are counted; where there are more, that is all that is said. */
export const foundCountMax = 1000

/** Saved views are found beside the kinds of rows that are declared. */
export const viewKind = 'savedView'

/**
 * What is worth asking for: an index finds three letters in a row, and everything shorter is in nearly every row. Of Chinese
 * characters two are a name.
 */
export const isEnoughToFind = (wanted: string): boolean =>
  [...wanted.trim()].length >= (/\p{Script=Han}/u.test(wanted) ? 2 : 3)

const told = z.union([z.string(), z.number(), z.boolean(), z.record(z.string(), z.string())]).nullable()

const foundRow = z
  .object({
    id: z.number(),
    /** What people call it. */
    name: z.string(),
    /** The text that holds what was asked for, and whose field it is. */
    field: z.string(),
    value: z.string(),
    /** What its declaration says that is told of it, by field. */
    tells: z.record(z.string(), told),
  })
  .meta({ id: 'FoundRow' })
export type FoundRow = z.output<typeof foundRow>

const foundKind = z
  .object({
    /** The name of a resource, or `savedView`. */
    kind: z.string(),
    /** How many there are in all, at most `foundCountMax`. */
    total: z.number().int(),
    /** There are more than were counted. */
    more: z.boolean(),
    /** How many hold it in which field. */
    fields: z.array(z.object({ field: z.string(), total: z.number().int() })),
    rows: z.array(foundRow),
  })
  .meta({ id: 'FoundKind' })
export type FoundKind = z.output<typeof foundKind>

/**
 * One question to everything there is: rows of every kind the caller may list, within their reach, that hold this in one of
 * the texts their declaration names. Kinds of which nothing is found are not answered.
 */
export const searchEverything = defineEndpoint({
  name: 'searchEverything',
  method: 'GET',
  path: '/api/v1/search',
  perm: 'signedIn',
  scope: 'organisation',
  heavy: true,
  input: z.strictObject({
    wanted: z
      .string()
      .trim()
      .min(2)
      .max(64)
      .refine((value) => isEnoughToFind(value) && !value.includes('\0'))
      .describe('Three characters at least, of Chinese two.'),
  }),
  answer: z.object({ kinds: z.array(foundKind) }),
})
export const searchEndpoints = [searchEverything]
