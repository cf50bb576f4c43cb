import { defineRoom } from '../../room.ts'
import { device } from '../device/index.ts'
import { release } from '../release/index.ts'
import { expirePromotions, mountPromotions, promotionRules } from './promotion.ts'

const minuteMs = 60_000

/** What devices show to whoever stands before them. */
export const poster = defineRoom({
  word: 'poster',
  after: [device, release],
  tables: ['promotion'],
  jobs: [{ name: 'ending promotion text', everyMs: minuteMs, run: ({ db }) => expirePromotions(db) }],
  mount: (services, { release }) => {
    mountPromotions(services)
    release.bring('promotion', promotionRules)
  },
})
