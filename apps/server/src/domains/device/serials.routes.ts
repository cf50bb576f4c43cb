import { AppError, deviceErrors, readSerials } from '@campanile/contract'
import type { Kit } from '../../kit/route.ts'
import { wordsBetween } from '../../kit/upload/sheet.ts'
import { errorText } from '../../platform/texts.ts'
import { findBySns } from './device.store.ts'
import { isHeading, serialRefusal, serialRows } from './serial-file.ts'

/** What people put between serial numbers (behaviour: devices.several-serials). */
const separator = /[\s/,;，；、]+/

/** Tells which of many serials are devices the caller may choose, before anything is done with them. */
export const mountSerials = (kit: Kit) =>
  kit.takesFile(readSerials, 'device', {
    read: wordsBetween(separator, isHeading),
    run: async ({ db, scope, caller }, words) => {
      const rows = serialRows(words)
      const known = new Set((await findBySns(db, scope, [...new Set(rows.map(({ sn }) => sn))])).map(({ sn }) => sn))
      const seen = new Set<string>()
      const sns: string[] = []
      const failed: { row: number; sn: string; code: number; message: string }[] = []
      for (const { row, sn, why: unusable } of rows) {
        const why =
          serialRefusal({ sn, why: unusable }, seen) ??
          (known.has(sn) ? undefined : new AppError(deviceErrors.notFound, { sn }))
        seen.add(sn)
        if (!why) sns.push(sn)
        else
          failed.push({
            row,
            sn: sn.slice(0, 128),
            code: why.code,
            message: errorText(why.code, caller.language, why.data),
          })
      }
      return { sns, failed }
    },
  })
