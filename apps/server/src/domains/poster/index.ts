import { posterResult } from '@campanile/contract'
import { mountPlain } from '../../kit/plain.ts'
import { defineRoom } from '../../room.ts'
import { device } from '../device/index.ts'
import { file } from '../file/index.ts'
import { release } from '../release/index.ts'
import { mountPosters, posterRules } from './poster.ts'
import { mountPromotions, promotionRules } from './promotion.ts'
import { expireShown } from './shown.ts'

const minuteMs = 60_000

/** What devices show to whoever stands before them. */
export const poster = defineRoom({
  word: 'poster',
  after: [device, file, release],
  tables: ['promotion', 'poster'],
  jobs: [
    { name: 'ending promotion text', everyMs: minuteMs, run: ({ db }) => expireShown(db, 'promotion') },
    { name: 'ending posters', everyMs: minuteMs, run: ({ db }) => expireShown(db, 'poster') },
  ],
  mount: (services, { file, release }) => {
    const { kit } = services
    mountPromotions(services)
    release.bring('promotion', promotionRules)
    mountPosters(services, file)
    release.bring('poster', posterRules(file))
    const results = release.devicesOf(posterResult, 'poster')
    mountPlain(kit, results, { actions: release.deviceActionsOn(results) })
  },
})
