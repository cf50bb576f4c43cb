import { createHmac, timingSafeEqual } from 'node:crypto'
import { AppError, deviceDownload, fileErrors, linkMaxSeconds } from '@campanile/contract'
import { RawAnswer } from '../../kit/answer.ts'
import { sendKept } from '../../kit/export/ranges.ts'
import type { Db } from '../../platform/db.ts'
import { PartGone, readBytes } from '../../platform/parts.ts'
import type { Services } from '../../services.ts'
import { findContent } from './upload.store.ts'

/** Sends contents to people who see the row that names them, and to devices that hold a link. */
export const createDownloads = ({
  db,
  files,
  clock,
  secrets,
}: Pick<Services, 'db' | 'files' | 'clock' | 'secrets'>) => {
  const seconds = () => Math.floor(clock.now().getTime() / 1000)
  const signatureOf = (id: string, until: string) =>
    createHmac('sha256', secrets.signingKey).update(`download ${id} ${until}`).digest('base64url')

  /** For a room that has found out that whoever asks may have it. */
  const send = async (on: Db, contentId: number, name: string): Promise<RawAnswer> => {
    const content = await findContent(on, contentId)
    if (!content) throw new AppError(fileErrors.uploadNotFound)
    // A file that is gone is an answer, not a download that breaks off.
    await readBytes(files.parts, content, 0, 1).catch((error: unknown) => {
      throw error instanceof PartGone ? new AppError(fileErrors.uploadNotFound) : error
    })
    const { size, sha256 } = content
    return new RawAnswer((reply) =>
      sendKept(reply, { name, size, sha256, read: (span) => files.parts.read(content, span, 'shared') }),
    )
  }

  return {
    send,
    /** Where a device fetches a content until then (Unix time in seconds), a day at most. */
    linkFor: (contentId: number, until: number): string => {
      const end = String(Math.min(Math.floor(until), seconds() + linkMaxSeconds))
      const path = deviceDownload.path.replace(':id', String(contentId))
      return `${path}?until=${end}&sig=${signatureOf(String(contentId), end)}`
    },
    /** A link that was changed and one that is over look the same from outside. */
    fetch: async ({
      id,
      until = '',
      sig = '',
    }: {
      id: string
      until?: string | undefined
      sig?: string | undefined
    }) => {
      const wanted = Buffer.from(signatureOf(id, until))
      const told = Buffer.from(sig)
      const fits = told.length === wanted.length && timingSafeEqual(told, wanted)
      if (!fits || Number(until) < seconds()) throw new AppError(fileErrors.linkRefused)
      return send(db, Number(id), id)
    },
  }
}
