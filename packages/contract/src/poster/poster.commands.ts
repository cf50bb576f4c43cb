import { choice, colour, defineCommands, longText, number, optional, text, timestamp } from '../kit/index.ts'
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
})
