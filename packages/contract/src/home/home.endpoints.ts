import { z } from 'zod'
import type { PathStep } from '../identity/session.endpoints.ts'
import { defineEndpoint } from '../kit/index.ts'

/** What a new installation still asks of its administrator, in the order it is best done. */
export const firstSteps = ['password', 'organisation', 'administrator', 'agreements'] as const
export type FirstStep = (typeof firstSteps)[number]

export interface HomeAnnouncement {
  id: number
  title: string
  text: string
  level: 'info' | 'important'
  pinned: boolean
  /** Null when it comes from above what the caller reaches. */
  departmentName: string | null
  validUntil: string | null
  createTime: string
}
export interface HomeSummary {
  /** Where the caller works at the moment, with the steps above it that the caller may see. */
  organisation: { id: number; name: string; type: number; path: PathStep[] }
  /** Each counts exactly the rows its list would show; null when the caller may not see that list. */
  figures: {
    organisations: number | null
    administrators: number | null
    locked: number | null
    signIns: { people: number; times: number } | null
    exports: number | null
  }
  announcements: HomeAnnouncement[]
  /** Since when devices cannot connect; nothing while they can, where another server serves them, and for who sees none. */
  notServedSince: string | null
  /** Only the steps the caller may take; none below the top of the installation. */
  steps: { step: FirstStep; done: boolean }[]
}

/** `since` is the beginning of the reader's day: only the browser knows its time zone. */
export const homeSummary = defineEndpoint<HomeSummary>()({
  name: 'homeSummary',
  method: 'GET',
  path: '/api/v1/home/summary',
  perm: 'signedIn',
  scope: 'organisation',
  input: z.strictObject({ since: z.iso.datetime({ offset: true }) }),
})
export const homeEndpoints = [homeSummary]
