import { photoMaxBytes } from '@campanile/contract/identity'

export type PhotoFault = 'empty' | 'tooLarge' | 'wrongType'

const startsWith = (bytes: Uint8Array, signature: readonly number[]) =>
  signature.every((byte, at) => bytes[at] === byte)

const jpeg = [0xff, 0xd8, 0xff]
const png = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]

/** The first bytes decide, as on the server: a renamed file would only be refused later. */
export async function faultOfPhoto(file: Blob): Promise<PhotoFault | undefined> {
  if (file.size === 0) return 'empty'
  if (file.size > photoMaxBytes) return 'tooLarge'
  const head = new Uint8Array(await file.slice(0, png.length).arrayBuffer())
  return startsWith(head, jpeg) || startsWith(head, png) ? undefined : 'wrongType'
}
