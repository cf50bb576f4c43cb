import { createPublicKey, type KeyObject } from 'node:crypto'
import { type ContentDigest, checkSignature, digestOf } from './algorithms.ts'
import { type OpenCertificate, openCertificate } from './certificate.ts'
import { proving, Unproven } from './fault.ts'
import { each, type Fields, fieldsOf } from './fields.ts'
import { readLineage } from './lineage.ts'

/** What one signer of a newer scheme has signed, its signature verified. The digests are still to be compared. */
export interface BlockSigner {
  readonly certificate: OpenCertificate
  readonly lineage: readonly string[]
  readonly digests: ReadonlyMap<ContentDigest, Buffer>
  /** The signer says that the file was signed by the next scheme as well. */
  readonly claimsV3: boolean
}

const claimsAnotherScheme = 0xbeeff00d
const v3Number = 3
const proofOfRotation = 0x3ba06f8c
/** As many as Android takes. */
const mostSigners = 10
const mostSignatures = 16
const mostOthers = 100

const numbered = (fields: Fields) => {
  const pair = fields.fields()
  return { algorithm: pair.number(), bytes: pair.bytes() }
}
const attribute = (fields: Fields) => {
  const pair = fields.fields()
  return { id: pair.number(), bytes: pair.rest() }
}

const encoded = (key: KeyObject) => key.export({ type: 'spki', format: 'der' })

/** Both schemes write signers alike; the third adds for which versions of Android one is, twice. */
function readSigner(signer: Fields, hasVersions: boolean): BlockSigner {
  const signed = signer.bytes()
  const outerVersions = hasVersions ? [signer.number(), signer.number()] : []
  const signatures = each(signer.fields(), mostSignatures, numbered)
  const publicKey = signer.bytes()

  const data = fieldsOf(signed)
  const digests = each(data.fields(), mostSignatures, numbered)
  const certificates = each(data.fields(), mostOthers, (fields) => fields.bytes())
  const versions = hasVersions ? [data.number(), data.number()] : []
  const attributes = each(data.fields(), mostOthers, attribute)

  const key = proving('signatureWrong', () => createPublicKey({ key: publicKey, format: 'der', type: 'spki' }))
  const known = signatures.filter(({ algorithm }) => digestOf(algorithm) !== undefined)
  if (known.length === 0) throw new Unproven('algorithmUnknown')
  for (const { algorithm, bytes } of known) checkSignature(algorithm, key, signed, bytes)

  const first = certificates[0]
  if (!first) throw new Unproven('certificateWrong')
  const certificate = openCertificate(first)
  if (!encoded(certificate.key).equals(encoded(key))) throw new Unproven('certificateWrong')
  const sameAlgorithms =
    signatures.length === digests.length &&
    signatures.every(({ algorithm }, index) => algorithm === digests[index]?.algorithm)
  const sameVersions = outerVersions.every((version, index) => version === versions[index])
  if (!sameAlgorithms || !sameVersions) throw new Unproven('signatureWrong')

  const rotation = hasVersions ? attributes.find(({ id }) => id === proofOfRotation) : undefined
  return {
    certificate,
    lineage: rotation ? readLineage(rotation.bytes, certificate) : [],
    digests: digestsByKind(digests),
    claimsV3: attributes.some(({ id, bytes }) => id === claimsAnotherScheme && bytes.readUInt32LE(0) === v3Number),
  }
}

function digestsByKind(digests: readonly { algorithm: number; bytes: Buffer }[]): Map<ContentDigest, Buffer> {
  const kinds = new Map<ContentDigest, Buffer>()
  for (const { algorithm, bytes } of digests) {
    const kind = digestOf(algorithm)
    if (!kind) continue
    const before = kinds.get(kind)
    if (before && !before.equals(bytes)) throw new Unproven('contentDiffers')
    kinds.set(kind, bytes)
  }
  return kinds
}

export const readSigners = (value: Buffer, hasVersions: boolean): readonly BlockSigner[] =>
  proving('blockBroken', () => {
    const signers = each(fieldsOf(value).fields(), mostSigners, (fields) => readSigner(fields.fields(), hasVersions))
    if (signers.length === 0) throw new Unproven('blockBroken')
    return signers
  })
