import { type Picture, readPicture } from './picture.ts'

export interface Image extends Omit<Picture, 'type'> {
  readonly type: Picture['type'] | 'image/bmp'
}

/** Everything before the size is fixed: `BM`, lengths, and a header of at least 40 bytes. */
const readBitmap = (bytes: Buffer): Image | undefined => {
  if (bytes.length < 54 || bytes.toString('latin1', 0, 2) !== 'BM' || bytes.readUInt32LE(14) < 40) return undefined
  // Rows may be stored from the top, which the format says with a negative height.
  return { type: 'image/bmp', width: bytes.readInt32LE(18), height: Math.abs(bytes.readInt32LE(22)) }
}

/** Logos may also be bitmaps. What the bytes say they are; a name is never asked (behaviour: values.pictures). */
export const imageKind = (bytes: Buffer): Image | undefined => readPicture(bytes) ?? readBitmap(bytes)
