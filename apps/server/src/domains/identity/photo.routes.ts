import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { AppError, fileErrors, gatewayErrors, photoMaxBytes, readPhoto, uploadPhoto } from '@campanile/contract'
import type { FastifyRequest } from 'fastify'
import { scopeFor } from '../../kit/actor.ts'
import { RawAnswer } from '../../kit/answer.ts'
import { readPicture } from '../../platform/picture.ts'
import type { Services } from '../../services.ts'
import { isPhotoVisible, storePhoto } from './profile.store.ts'

const module = 'personal'
/** Beyond this a small file unpacks to more memory than a browser should give. */
const mostPixels = 4096

const receive = async (request: FastifyRequest): Promise<Buffer> => {
  const file = request.isMultipart() ? await request.file({ limits: { fileSize: photoMaxBytes } }) : undefined
  if (file?.fieldname !== 'file')
    throw new AppError({ ...gatewayErrors.missingParameter, field: 'file' }, { field: 'file' })
  return file.toBuffer().catch((error: { statusCode?: number }) => {
    throw error.statusCode === 413 ? new AppError(fileErrors.fileTooLarge, { limit: '2 MB' }) : error
  })
}

const isPhoto = (bytes: Buffer) => {
  const picture = readPicture(bytes)
  return picture && Math.max(picture.width, picture.height) <= mostPixels && Math.min(picture.width, picture.height) > 0
}

/** One's picture: jpg or png by content, under 2 MB, kept under a name of our own. */
export const mountPhotos = ({ kit, db, files, log }: Services) => {
  kit.guarded(
    uploadPhoto,
    module,
    async (call, request) => {
      call.note({ type: 'update', description: 'photo' })
      const bytes = await receive(request)
      if (!isPhoto(bytes)) throw new AppError({ ...gatewayErrors.wrongFormat, field: 'file' }, { field: 'file' })
      const { key } = await files.put(Readable.from([bytes]), { maxBytes: photoMaxBytes })
      const old = await storePhoto(db, call.actor.id, key)
      if (old) await files.remove(old).catch((err: unknown) => log.warn({ err }, 'an old photo stays behind'))
      return { photo: key }
    },
    // The file is on disk before a row names it; a transaction would only be held open meanwhile.
    'apart',
  )

  kit.guarded(readPhoto, module, async (call) => {
    const { key } = call.input
    const paths = scopeFor(call.actor, 'signedIn')?.paths ?? []
    if (!(await isPhotoVisible(call.db, key, call.actor.id, paths))) throw new AppError(gatewayErrors.resourceNotFound)
    const bytes = await buffer((await files.read(key)).stream)
    return new RawAnswer((reply) =>
      reply
        .header('content-type', readPicture(bytes)?.type ?? 'application/octet-stream')
        .header('x-content-type-options', 'nosniff')
        .header('content-security-policy', "sandbox; default-src 'none'")
        .header('cache-control', 'private, max-age=86400')
        .send(bytes),
    )
  })
}
