import { checkSignature } from './algorithms.ts'
import { type OpenCertificate, openCertificate } from './certificate.ts'
import { proving, Unproven } from './fault.ts'
import { each, fieldsOf } from './fields.ts'

const mostKeys = 100

/**
 * The keys an app was signed with before, oldest first, the present one last. Each key has signed the one that came after
 * it; a chain in which one has not is refused.
 */
export function readLineage(bytes: Buffer, present: OpenCertificate): readonly string[] {
  const digests = proving('blockBroken', () => {
    const fields = fieldsOf(bytes)
    fields.number()
    let before: { readonly certificate: OpenCertificate; readonly algorithm: number } | undefined
    return each(fields, mostKeys, (nodes) => {
      const node = nodes.fields()
      const signed = node.bytes()
      node.number()
      const algorithm = node.number()
      const signature = node.bytes()
      const link = fieldsOf(signed)
      const certificate = openCertificate(link.bytes())
      if (before) {
        if (link.number() !== before.algorithm) throw new Unproven('signatureWrong')
        checkSignature(before.algorithm, before.certificate.key, signed, signature)
      }
      before = { certificate, algorithm }
      return certificate.sha256
    })
  })
  if (digests.at(-1) !== present.sha256 || new Set(digests).size !== digests.length)
    throw new Unproven('certificateWrong')
  return digests
}
