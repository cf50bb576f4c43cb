import { Readable } from 'node:stream'
import { AppError, commonErrors, readLogo, removeLogo, uploadLogo } from '@campanile/contract'
import { RawAnswer } from '../../kit/answer.ts'
import type { Call } from '../../kit/call.ts'
import { imageKind } from '../../platform/image-kind.ts'
import type { Services } from '../../services.ts'

const path = '/api/v1/logo/'
/** A picture of a few kilobytes may claim any size; drawing it is what costs. */
const mostPixels = 4096

const keyOf = (logo: string | null) => (logo?.startsWith(path) ? logo.slice(path.length) : null)

export const mountLogo = ({ kit, settings, files }: Services) => {
  const replace = async (call: Call, logo: string | null) => {
    const before = await settings.get('logo')
    await settings.save(call.db, { logo }, call.actor.id)
    call.note({ type: 'update', description: 'logo', before: { logo: before }, after: { logo } })
    call.afterCommit(async () => {
      settings.forget()
      const old = keyOf(before)
      if (old) await files.remove(old)
    })
  }

  const store = async (bytes: Buffer): Promise<string> => {
    const image = imageKind(bytes)
    const fits = image && Math.min(image.width, image.height) > 0 && Math.max(image.width, image.height) <= mostPixels
    if (!fits) throw new AppError({ ...commonErrors.wrongFormat, field: 'file' }, { field: 'file' })
    const { key } = await files.put(Readable.from([bytes]), { maxBytes: bytes.length })
    return key
  }
  kit.takesFile(uploadLogo, 'config', {
    read: store,
    discard: files.remove,
    run: async (call, key) => {
      const logo = `${path}${key}`
      await replace(call, logo)
      return { logo }
    },
  })

  kit.guarded(removeLogo, 'config', async (call) => {
    await replace(call, null)
    return {}
  })

  kit.open(readLogo, 'config', async ({ input }) => {
    // Only the logo in use: the store holds other people's files under keys of the same shape.
    if (keyOf(await settings.get('logo')) !== input.key) throw new AppError(commonErrors.resourceNotFound)
    const { stream, size } = await files.read(input.key).catch(() => {
      throw new AppError(commonErrors.resourceNotFound)
    })
    const bytes = Buffer.concat(await stream.toArray())
    const type = imageKind(bytes)?.type ?? 'application/octet-stream'
    return new RawAnswer((reply) =>
      reply
        .header('content-type', type)
        .header('content-length', size)
        .header('x-content-type-options', 'nosniff')
        .header('content-security-policy', "sandbox; default-src 'none'")
        // A new logo has a new address.
        .header('cache-control', 'public, max-age=31536000, immutable')
        .send(bytes),
    )
  })
}
