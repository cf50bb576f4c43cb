import { Readable } from 'node:stream'
import type { Icon } from '@campanile/apk'
import type { Call } from '../../kit/call.ts'
import { contentKind } from '../../platform/content-kind.ts'
import type { Services } from '../../services.ts'
import { insertIcon } from './app.store.ts'

/** Pictures that apps bring: kept like those people send, shown only where a browser can draw them. */
export const createIcons = ({ files }: Pick<Services, 'files'>) => ({
  keep: async ({ db }: Pick<Call, 'db'>, icon: Icon | null): Promise<{ readonly id: number } | null> => {
    if (!icon || !contentKind(icon.bytes)) return null
    const key = files.newKey()
    // The row first: what is written and never named by one would stay for ever.
    const id = await insertIcon(db, { key, type: icon.type, size: icon.bytes.length })
    await files.put(Readable.from([icon.bytes]), { maxBytes: icon.bytes.length, key })
    return { id }
  },
})
