import { createHash, verify } from 'node:crypto'
import { type OpenCertificate, openCertificate } from './certificate.ts'
import { type Der, derTags, partsOf, readDer, takeParts } from './der.ts'
import { proving, Unproven } from './fault.ts'

/** Names of algorithms and attributes as they are encoded. */
const oids = {
  signedData: '2a864886f70d010702',
  messageDigest: '2a864886f70d010904',
  pss: '2a864886f70d01010a',
}
const hashes: Readonly<Record<string, string>> = {
  '2b0e03021a': 'sha1',
  '608648016503040201': 'sha256',
  '608648016503040202': 'sha384',
  '608648016503040203': 'sha512',
}

const mostSigners = 10

const oidOf = (algorithm: Der) => takeParts(algorithm).next().content.toString('hex')

/** The issuer and the number that a signature names its certificate by. */
function nameOf(certificate: Der): string {
  const fields = takeParts(takeParts(certificate).next())
  fields.optional(derTags.first)
  const serial = fields.next()
  fields.next()
  return Buffer.concat([fields.next().whole, serial.whole]).toString('hex')
}

function checkSigner(info: Der, signed: Buffer, certificates: readonly Der[]): OpenCertificate {
  const fields = takeParts(info)
  fields.next()
  const named = fields.next().content.toString('hex')
  const hash = hashes[oidOf(fields.next())]
  const attributes = fields.optional(derTags.first)
  const algorithm = oidOf(fields.next())
  const signature = fields.next().content
  if (!hash || algorithm === oids.pss) throw new Unproven('algorithmUnknown')
  const own = certificates.find((certificate) => nameOf(certificate) === named)
  if (!own) throw new Unproven('certificateWrong')
  const certificate = openCertificate(own.whole)
  if (attributes && !digestIn(attributes).equals(createHash(hash).update(signed).digest()))
    throw new Unproven('signatureWrong')
  // Attributes are signed as the set they are, though they are written under another tag.
  const data = attributes ? Buffer.concat([Buffer.from([derTags.set]), attributes.whole.subarray(1)]) : signed
  const isRight = proving('signatureWrong', () => verify(hash, data, certificate.key, signature))
  if (!isRight) throw new Unproven('signatureWrong')
  return certificate
}

function digestIn(attributes: Der): Buffer {
  const found = partsOf(attributes).find((attribute) => oidOf(attribute) === oids.messageDigest)
  const values = found && partsOf(found)[1]
  const digest = values && partsOf(values)[0]
  if (!digest) throw new Unproven('signatureWrong')
  return digest.content
}

/** Verifies a detached signature over `signed` and answers the certificates of those who made it. */
export const checkPkcs7 = (block: Buffer, signed: Buffer): readonly OpenCertificate[] =>
  proving('blockBroken', () => {
    const outer = takeParts(readDer(block))
    if (outer.next().content.toString('hex') !== oids.signedData) throw new Unproven('blockBroken')
    const data = takeParts(readDer(outer.next().content))
    data.next()
    data.next()
    data.next()
    const certificates = data.optional(derTags.first)
    data.optional(derTags.first + 1)
    const signers = partsOf(data.next())
    if (!certificates || signers.length === 0 || signers.length > mostSigners) throw new Unproven('certificateWrong')
    const all = partsOf(certificates).filter(({ tag }) => tag === derTags.sequence)
    return signers.map((info) => checkSigner(info, signed, all))
  })
