import { defineRoom } from '../../room.ts'
import { command } from '../command/index.ts'
import { device } from '../device/index.ts'
import { identity } from '../identity/index.ts'
import { organisation } from '../organisation/index.ts'
import { mountReleases } from './release.routes.ts'
import { forgetSteps } from './release.store.ts'

export type { HeardRelease, HeardStep, KindRules, ReleaseItem } from './kinds.ts'
export type { CountedBy } from './statistics.table.ts'

const dayMs = 86_400_000

/** One item, brought to many devices wave by wave. */
export const release = defineRoom({
  word: 'release',
  after: [organisation, identity, device, command],
  tables: ['release', 'release_wave', 'release_device', 'release_target', 'release_step', 'release_number'],
  jobs: [{ name: 'forgetting steps of old releases', everyMs: dayMs, run: ({ db }) => forgetSteps(db) }],
  offers: ['bring', 'create', 'tableOf', 'actionsOn', 'devicesOf', 'deviceActionsOn', 'statisticsOf'],
  mount: mountReleases,
})
