import type { FileRoom } from '../file/index.ts'
import type { KindRules } from '../release/index.ts'
import { findItem, type ReleasedResource } from './resource.store.ts'

/** A link is made anew with every batch that is told; a device that was too slow is told again. */
const linkSeconds = 24 * 3600

/** How resources are released. */
export const createResourceRules = (
  now: () => Date,
  { linkFor }: Pick<FileRoom, 'linkFor'>,
): KindRules<ReleasedResource> => ({
  find: findItem,
  command: (_db, { contentId, fileName, bytes, sha256 }, { given, options }) => {
    const { minBattery, wifiOnly, bytesPerSecond } = options
    return {
      command: 'putFile',
      args: {
        file: { url: linkFor(contentId, now().getTime() / 1000 + linkSeconds), size: bytes, sha256, name: fileName },
        path: String(given.path ?? '/'),
        name: fileName,
        ...(minBattery !== undefined && { minBattery }),
        ...(wifiOnly !== undefined && { wifiOnly }),
        ...(bytesPerSecond !== undefined && { bytesPerSecond }),
      },
    }
  },
})
