import { z } from 'zod'
import { pathStep } from '../identity/session.endpoints.ts'
import { defineEndpoint, moment, needLevels } from '../kit/index.ts'

/** What a new installation still asks of its administrator, in the order it is best done. */
export const firstSteps = ['password', 'organisation', 'administrator', 'agreements'] as const
export type FirstStep = (typeof firstSteps)[number]

const homeAnnouncement = z.object({
  id: z.number(),
  title: z.string(),
  text: z.string(),
  level: z.enum(['info', 'important']),
  pinned: z.boolean(),
  /** Null when it comes from above what the caller reaches. */
  departmentName: z.string().nullable(),
  validUntil: z.string().nullable(),
  createTime: z.string(),
})
export type HomeAnnouncement = z.output<typeof homeAnnouncement>
const figure = z.number().int().nullable()
const homeSummaryAnswer = z.object({
  /** Where the caller works at the moment, with the steps above it that the caller may see. */
  organisation: z.object({ id: z.number(), name: z.string(), type: z.number().int(), path: z.array(pathStep) }),
  /** Each counts exactly the rows its list would show; null when the caller may not see that list. */
  figures: z.object({
    organisations: figure,
    administrators: figure,
    locked: figure,
    signIns: z.object({ people: z.number().int(), times: z.number().int() }).nullable(),
    exports: figure,
  }),
  announcements: z.array(homeAnnouncement),
  /** Since when devices cannot connect; nothing while they can, where another server serves them, and for who sees none. */
  notServedSince: z.string().nullable(),
  /** Only the steps the caller may take; none below the top of the installation. */
  steps: z.array(z.object({ step: z.enum(firstSteps), done: z.boolean() })),
})
export type HomeSummary = z.output<typeof homeSummaryAnswer>

/** `since` is the beginning of the reader's day: only the browser knows its time zone. */
export const homeSummary = defineEndpoint({
  name: 'homeSummary',
  method: 'GET',
  path: '/api/v1/home/summary',
  perm: 'signedIn',
  scope: 'organisation',
  heavy: true,
  input: z.strictObject({ since: moment() }),
  answer: homeSummaryAnswer,
})

/** Something that waits for a person: rooms declare the kinds (`defineNeeds`), their lists count the rows. */
const homeNeed = z.object({
  kind: z.string(),
  /** Whose words say it: `<texts>.need.<kind>.title`, and the cause beside it. */
  texts: z.string(),
  level: z.enum(needLevels),
  count: z.number().int(),
  /** The first of them, where that is known. */
  since: z.string().nullable(),
  words: z.record(z.string(), z.union([z.string(), z.number()])),
  cause: z.string(),
  /** Where exactly these rows stand. */
  to: z.string(),
  /** The same as the list's filter, for a command to all of them. */
  filter: z.record(z.string(), z.union([z.string(), z.array(z.string())])),
  action: z.object({ word: z.string(), to: z.string() }).nullable(),
  command: z.string().nullable(),
})
export type HomeNeed = z.output<typeof homeNeed>
/** What waits for a person in the organisation the caller works in, the most urgent first. */
export const homeNeeds = defineEndpoint({
  name: 'homeNeeds',
  method: 'GET',
  path: '/api/v1/home/needs',
  perm: 'signedIn',
  scope: 'organisation',
  heavy: true,
  input: z.strictObject({}),
  answer: z.object({ rows: z.array(homeNeed) }),
})
export const homeEndpoints = [homeSummary, homeNeeds]
