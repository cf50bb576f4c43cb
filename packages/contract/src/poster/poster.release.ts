import type { ReleaseKindSpec } from '../release/release.kind.ts'
import { promotionRelease } from './promotion.release.ts'

/** A poster is fetched and shown at once, as careful as promotion text. */
export const posterRelease = {
  ...promotionRelease,
  conditions: ['wifiOnly', 'bytesPerSecond'],
  perms: {
    release: 'slider:list:release',
    list: 'slider:list:list',
    cancel: 'slider:list:release',
    retry: 'slider:list:release',
  },
} as const satisfies ReleaseKindSpec
