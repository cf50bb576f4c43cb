import { fileToFetch } from '../file/file-to-fetch.ts'
import { choice, colour, defineCommands, longText, number, optional, text, timestamp } from '../kit/index.ts'
import { fetchConditions } from '../release/update-args.ts'
import { posterImageTypes } from './poster.picture.ts'
import { posterRelease } from './poster.release.ts'
import { promotionRelease } from './promotion.release.ts'

/** Made by a release. Shown twice, it is shown once: the newest of the same id takes the place of the one before. */
const shown = {
  perm: promotionRelease.perms.release,
  group: 'everyday',
  ownScreen: true,
  repeatable: true,
  waitMinutes: 24 * 60,
} as const
const promotionId = number(1, Number.MAX_SAFE_INTEGER)
const posterId = number(1, Number.MAX_SAFE_INTEGER)

export const posterCommands = defineCommands('poster', {
  /** From `validFrom` (absent: at once) to `validUntil` by the device's own clock. */
  showPromotion: {
    ...shown,
    args: {
      promotionId,
      title: text(64),
      text: longText(256),
      colour: optional(colour()),
      speed: choice(['slow', 'normal', 'fast']),
      validFrom: optional(timestamp()),
      validUntil: timestamp(),
    },
  },
  hidePromotion: { ...shown, args: { promotionId } },
  /** Fetched whole and verified before it is shown; in the order of `position`, those of a higher priority for longer. */
  showPoster: {
    ...shown,
    perm: posterRelease.perms.release,
    args: {
      posterId,
      title: text(64),
      text: longText(256),
      file: fileToFetch(),
      imageType: choice(posterImageTypes),
      position: number(1, 99),
      priority: choice(['low', 'normal', 'high']),
      validFrom: optional(timestamp()),
      validUntil: timestamp(),
      wifiOnly: fetchConditions.wifiOnly,
      bytesPerSecond: fetchConditions.bytesPerSecond,
    },
  },
  removePoster: { ...shown, perm: posterRelease.perms.release, args: { posterId } },
})
