import { type KeyObject, X509Certificate } from 'node:crypto'
import { tidy } from '../app/texts.ts'
import { proving } from './fault.ts'

/** Who signed. Certificates of apps are their own issuers: nobody vouches for the name, the digest is what counts. */
export interface Certificate {
  /** Of the whole certificate, 64 hexadecimal digits. */
  readonly sha256: string
  readonly subject: string
  readonly validFrom: Date | null
  readonly validTo: Date | null
}

export interface OpenCertificate extends Certificate {
  readonly key: KeyObject
}

const longestSubject = 512

function readDate(text: string): Date | null {
  const date = new Date(text)
  return Number.isNaN(date.getTime()) ? null : date
}

export const openCertificate = (der: Buffer): OpenCertificate =>
  proving('certificateWrong', () => {
    const certificate = new X509Certificate(der)
    return {
      sha256: certificate.fingerprint256.replaceAll(':', '').toLowerCase(),
      subject: tidy(certificate.subject.replaceAll('\n', ', '), longestSubject),
      validFrom: readDate(certificate.validFrom),
      validTo: readDate(certificate.validTo),
      key: certificate.publicKey,
    }
  })

export const withoutKey = ({ key, ...certificate }: OpenCertificate): Certificate => certificate
