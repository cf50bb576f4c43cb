import {
  AppError,
  type ContentKind,
  contentKinds,
  fileErrors,
  mostMegapixels,
  type UploadPurpose,
} from '@campanile/contract'
import { imageKind } from '../../platform/image-kind.ts'
import { readPicture } from '../../platform/picture.ts'

/** Enough to find the size of a picture behind whatever its maker wrote before it. */
export const headBytes = 256 * 1024
/** A zip tells at its end where its entries lie, before a comment of at most 64 KiB. */
export const tailBytes = 64 * 1024 + 22

const endOfZip = Buffer.from('PK\u0005\u0006', 'latin1')
const pictures: readonly ContentKind[] = ['png', 'jpeg', 'bmp']
/** A name that ends so promises what programs can show or open; of texts nobody says in which script they are written. */
const promising: readonly ContentKind[] = [...pictures, 'pdf', 'zip']

const startsWith = (bytes: Buffer, text: string) => bytes.subarray(0, text.length).toString('latin1') === text
const isText = (head: Buffer) => {
  try {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
    return !/[\u0000-\u0008\u000e-\u001a\u001c-\u001f]/.test(
      new TextDecoder('utf-8', { fatal: true }).decode(head, { stream: true }),
    )
  } catch {
    return false
  }
}

/** Whether these last bytes are the end of an archive, whatever stands before it. */
export const endsAsZip = (tail: Buffer): boolean => {
  for (let at = tail.lastIndexOf(endOfZip); at >= 0; at = at === 0 ? -1 : tail.lastIndexOf(endOfZip, at - 1))
    if (at + 22 <= tail.length && at + 22 + tail.readUInt16LE(at + 20) === tail.length) return true
  return false
}

const promisedBy = (name: string): ContentKind | undefined => {
  const ending = /\.\w+$/.exec(name.toLowerCase())?.[0] ?? ''
  return promising.find((kind) => (contentKinds[kind].endings as readonly string[]).includes(ending))
}

const kindOf = (head: Buffer): ContentKind | undefined => {
  const image = imageKind(head)
  if (image) return pictures.find((kind) => contentKinds[kind].type === image.type)
  if (startsWith(head, '%PDF-')) return 'pdf'
  if (startsWith(head, 'PK\u0003\u0004')) return 'zip'
  return isText(head) ? 'text' : undefined
}

export interface Ends {
  readonly head: Buffer
  readonly tail: Buffer
}

/** What the bytes are. Refuses a picture nobody can draw, and what is two things at once. */
export const judge = (name: string, { head, tail }: Ends): ContentKind | null => {
  const differs = () => new AppError(fileErrors.contentDiffers, { name })
  const image = imageKind(head)
  if (image && Math.min(image.width, image.height) <= 0) throw differs()
  if (image && image.width * image.height > mostMegapixels * 1e6)
    throw new AppError(fileErrors.pictureTooLarge, { limit: mostMegapixels })
  const kind = kindOf(head)
  if (kind && kind !== 'zip' && kind !== 'text' && endsAsZip(tail)) throw differs()
  mustKeepPromise(name, kind)
  return kind ?? null
}

/** A name that ends like a picture, a document or an archive must be one. */
export const mustKeepPromise = (name: string, kind: ContentKind | null | undefined) => {
  const promised = promisedBy(name)
  if (promised && promised !== kind) throw new AppError(fileErrors.contentDiffers, { name })
}

/** Where only pictures of certain sizes are wanted: what is none, or another, is answered with the codes of its purpose. */
export const mustFitPurpose = (purpose: UploadPurpose | undefined, { head }: Ends) => {
  if (!purpose?.picture) return
  const picture = readPicture(head)
  if (!picture) throw new AppError(purpose.refusal ?? fileErrors.contentDiffers)
  if (!purpose.picture.sizes.some(([width, height]) => picture.width === width && picture.height === height))
    throw new AppError(purpose.picture.refusal)
}
