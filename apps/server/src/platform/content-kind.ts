import { type ContentKind, contentKinds, mostPixels } from '@campanile/contract'
import { imageKind } from './image-kind.ts'

const pictures: readonly ContentKind[] = ['png', 'jpeg', 'bmp']

const beginsWith = (bytes: Buffer, text: string) => bytes.subarray(0, text.length).toString('latin1') === text

const utf8 = new TextDecoder('utf-8', { fatal: true })
/** Text is what can be read as such and holds none of the bytes that only programs write. */
const isText = (bytes: Buffer) => {
  try {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
    return !/[\u0000-\u0008\u000e-\u001a\u001c-\u001f]/.test(utf8.decode(bytes))
  } catch {
    return false
  }
}

/** What the bytes say they are. A picture that cannot be drawn, or is too large to be, is nothing. */
export const contentKind = (bytes: Buffer): ContentKind | undefined => {
  const image = imageKind(bytes)
  if (image) {
    const sides = [image.width, image.height]
    const fits = Math.min(...sides) > 0 && Math.max(...sides) <= mostPixels
    return fits ? pictures.find((kind) => contentKinds[kind].type === image.type) : undefined
  }
  if (beginsWith(bytes, '%PDF-')) return 'pdf'
  if (beginsWith(bytes, 'PK\u0003\u0004')) return 'zip'
  return bytes.length > 0 && isText(bytes) ? 'text' : undefined
}
