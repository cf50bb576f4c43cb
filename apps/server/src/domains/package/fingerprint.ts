import { createPrivateKey, X509Certificate } from 'node:crypto'
import { AppError, packageErrors } from '@campanile/contract'

const certificatePart = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/

/** SHA-256 of the certificate in a key file, once the value has unlocked the private key that belongs to it. */
export const fingerprintOf = (pem: string, value: string): string => {
  try {
    const certificate = new X509Certificate(certificatePart.exec(pem)?.[0] ?? '')
    const key = createPrivateKey({ key: pem.replace(certificatePart, ''), passphrase: value })
    if (!certificate.checkPrivateKey(key)) throw new Error('the two are not a pair')
    return certificate.fingerprint256.replaceAll(':', '').toLowerCase()
  } catch {
    throw new AppError(packageErrors.signingKeyUnreadable)
  }
}
