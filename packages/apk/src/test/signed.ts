import { constants, type KeyObject, sign } from 'node:crypto'
import { digestContents } from '../signing/contents.ts'
import { openZip } from '../zip/zip.ts'
import { archive, type Part, sourceOf } from './archives.ts'

const der = (tag: number, ...parts: Buffer[]): Buffer => {
  const content = Buffer.concat(parts)
  const length = content.length < 0x80 ? [content.length] : [0x82, content.length >> 8, content.length & 0xff]
  return Buffer.concat([Buffer.from([tag, ...length]), content])
}
const hex = (text: string) => Buffer.from(text, 'hex')

/** A certificate over a key. Nobody vouches for it, as with every app's. */
export function certificateOf(key: KeyObject, name = 'stranger'): Buffer {
  const subject = der(0x30, der(0x31, der(0x30, der(0x06, hex('550403')), der(0x0c, Buffer.from(name)))))
  const algorithm = der(0x30, der(0x06, hex('2a8648ce3d040302')))
  const times = der(0x30, der(0x17, Buffer.from('200101000000Z')), der(0x17, Buffer.from('490101000000Z')))
  const spki = key.export({ type: 'spki', format: 'der' })
  const body = der(0x30, der(0x02, Buffer.from([1])), algorithm, subject, times, subject, spki)
  return der(0x30, body, algorithm, der(0x03, Buffer.alloc(9)))
}

const number = (value: number) => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}
const long = (value: number) => Buffer.concat([number(value), number(0)])
const prefixed = (...parts: Buffer[]) => {
  const content = Buffer.concat(parts)
  return Buffer.concat([number(content.length), content])
}
const list = (items: readonly Buffer[]) => prefixed(...items.map((item) => prefixed(item)))

export const schemeIds = { v2: 0x7109871a, v3: 0xf05368c0, 'v3.1': 0x1b93ad61 }

export interface Signer {
  readonly privateKey: KeyObject
  readonly publicKey: KeyObject
}

export function signWith(algorithm: number, { privateKey }: Signer, data: Buffer): Buffer {
  const hash = [0x0102, 0x0104, 0x0202].includes(algorithm) ? 'sha512' : 'sha256'
  const pss = { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: hash === 'sha512' ? 64 : 32 }
  return sign(hash, data, { key: privateKey, ...(algorithm < 0x0103 ? pss : {}) })
}

export interface Block extends Signer {
  readonly scheme: keyof typeof schemeIds
  readonly algorithm: number
  readonly certificate?: Buffer
  /** The algorithm the digest is listed under, where it differs. */
  readonly digestAlgorithm?: number
  readonly attributes?: readonly { readonly id: number; readonly value: Buffer }[]
  /** What stands outside of what is signed, where it differs. */
  readonly outerMinSdk?: number
}

/** Who held the key before and signs the next, as in the lineage of an app. */
export const lineageOf = (
  nodes: readonly { readonly certificate: Buffer; readonly by?: Signer; readonly algorithm: number }[],
): Buffer =>
  Buffer.concat([
    number(1),
    ...nodes.map(({ certificate, by, algorithm }) => {
      const signed = Buffer.concat([prefixed(certificate), number(by ? algorithm : 0)])
      const signature = by ? signWith(algorithm, by, signed) : Buffer.alloc(0)
      return prefixed(prefixed(signed), number(0), number(algorithm), prefixed(signature))
    }),
  ])

function signerOf(block: Block, digest: Buffer): Buffer {
  const hasVersions = block.scheme !== 'v2'
  const versions = (min: number) => (hasVersions ? [number(min), number(0x7fffffff)] : [])
  const signed = Buffer.concat([
    list([Buffer.concat([number(block.digestAlgorithm ?? block.algorithm), prefixed(digest)])]),
    list([block.certificate ?? certificateOf(block.publicKey)]),
    ...versions(28),
    list((block.attributes ?? []).map(({ id, value }) => Buffer.concat([number(id), value]))),
  ])
  const signature = signWith(block.algorithm, block, signed)
  return Buffer.concat([
    prefixed(signed),
    ...versions(block.outerMinSdk ?? 28),
    list([Buffer.concat([number(block.algorithm), prefixed(signature)])]),
    prefixed(block.publicKey.export({ type: 'spki', format: 'der' })),
  ])
}

/** An archive with signatures of the newer schemes, right or wrong. */
export async function signedArchive(parts: readonly Part[], blocks: readonly Block[]): Promise<Buffer> {
  const bytes = archive(parts)
  const zip = await openZip(sourceOf(bytes))
  const { directory, offset } = zip.end
  const begin = directory.offset
  const contents = await digestContents(zip, { begin, values: new Map() }, ['sha256', 'sha512'])
  const pairs = blocks.map((block) => {
    const digest = contents.get([0x0102, 0x0104, 0x0202].includes(block.algorithm) ? 'sha512' : 'sha256')
    const value = list([signerOf(block, digest ?? Buffer.alloc(0))])
    return Buffer.concat([long(value.length + 4), number(schemeIds[block.scheme]), value])
  })
  const size = long(Buffer.concat(pairs).length + 24)
  const inserted = Buffer.concat([size, ...pairs, size, Buffer.from('APK Sig Block 42')])
  const end = Buffer.from(bytes.subarray(offset))
  end.writeUInt32LE(begin + inserted.length, 16)
  return Buffer.concat([bytes.subarray(0, begin), inserted, bytes.subarray(begin, offset), end])
}
