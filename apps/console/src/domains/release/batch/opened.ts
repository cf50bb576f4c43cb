import { later } from '../../../shell/later.tsx'

/** Pages of other rooms are made of these; their words come with them. */
export const BatchRelease = later(
  async () => (await import('./BatchRelease.tsx')).BatchRelease,
  ['release', 'device', 'package'],
)
export const ReleasePage = later(async () => (await import('./ReleasePage.tsx')).ReleasePage, ['release', 'device'])
