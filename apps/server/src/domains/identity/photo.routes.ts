import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { AppError, commonErrors, readPhoto, uploadPhoto } from '@campanile/contract'
import { scopeFor } from '../../kit/actor.ts'
import { RawAnswer } from '../../kit/answer.ts'
import { readPicture } from '../../platform/picture.ts'
import type { Services } from '../../services.ts'
import { isPhotoVisible, storePhoto } from './profile.store.ts'

const module = 'personal'
/** Beyond this a small file unpacks to more memory than a browser should give. */
const mostPixels = 4096

const isPhoto = (bytes: Buffer) => {
  const picture = readPicture(bytes)
  return picture && Math.max(picture.width, picture.height) <= mostPixels && Math.min(picture.width, picture.height) > 0
}

/** One's picture: jpg or png by content, under 2 MB, kept under a name of our own. */
export const mountPhotos = ({ kit, files, log }: Services) => {
  const store = async (bytes: Buffer): Promise<string> => {
    if (!isPhoto(bytes)) throw new AppError({ ...commonErrors.wrongFormat, field: 'file' }, { field: 'file' })
    const { key } = await files.put(Readable.from([bytes]), { maxBytes: bytes.length })
    return key
  }
  kit.takesFile(uploadPhoto, module, {
    read: store,
    discard: files.remove,
    run: async (call, key) => {
      call.note({ type: 'update', description: 'photo' })
      const old = await storePhoto(call.db, call.actor.id, key)
      call.afterCommit(async () => {
        if (old) await files.remove(old).catch((err: unknown) => log.warn({ err }, 'an old photo stays behind'))
      })
      return { photo: key }
    },
  })

  kit.guarded(readPhoto, module, async (call) => {
    const { key } = call.input
    const paths = scopeFor(call.actor, 'signedIn')?.paths ?? []
    if (!(await isPhotoVisible(call.db, key, call.actor.id, paths))) throw new AppError(commonErrors.resourceNotFound)
    const { stream } = await files.read(key).catch((err: unknown) => {
      log.error({ err }, 'a photo is missing on the disk')
      throw new AppError(commonErrors.resourceNotFound)
    })
    const bytes = await buffer(stream)
    return new RawAnswer((reply) =>
      reply
        .header('content-type', readPicture(bytes)?.type ?? 'application/octet-stream')
        .header('x-content-type-options', 'nosniff')
        .header('content-security-policy', "sandbox; default-src 'none'")
        .send(bytes),
    )
  })
}
