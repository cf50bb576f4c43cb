import type { ContentKind, Field } from '@campanile/contract/kit'

export type FileFault = 'empty' | 'tooLarge' | 'wrongKind'

const signatures: Readonly<Partial<Record<ContentKind, readonly number[]>>> = {
  png: [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a],
  jpeg: [0xff, 0xd8, 0xff],
  bmp: [0x42, 0x4d],
  pdf: [0x25, 0x50, 0x44, 0x46, 0x2d],
  zip: [0x50, 0x4b, 0x03, 0x04],
}
const longest = 8

/** The first bytes decide, as on the server: a renamed file would only be refused after it has been sent. */
export const faultOfFile = async (
  file: Blob,
  { maxBytes = 0, accepts = [] }: Pick<Field, 'maxBytes' | 'accepts'>,
): Promise<FileFault | undefined> => {
  if (file.size === 0) return 'empty'
  if (file.size > maxBytes) return 'tooLarge'
  const head = new Uint8Array(await file.slice(0, longest).arrayBuffer())
  const found = (Object.keys(signatures) as ContentKind[]).find((kind) =>
    signatures[kind]?.every((byte, at) => head[at] === byte),
  )
  // Text has no mark of its own: the server reads all of it.
  return accepts.includes(found ?? 'text') ? undefined : 'wrongKind'
}
