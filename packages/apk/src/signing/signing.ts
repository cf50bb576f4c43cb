import type { Zip } from '../zip/zip.ts'
import type { ContentDigest } from './algorithms.ts'
import { readBlock, type SigningBlock } from './block.ts'
import { type Certificate, type OpenCertificate, withoutKey } from './certificate.ts'
import { digestContents } from './contents.ts'
import { type SigningFault, Unproven } from './fault.ts'
import { checkJar, isJarSigned } from './jar.ts'
import { type BlockSigner, readSigners } from './scheme.ts'

export type Scheme = 'v1' | 'v2' | 'v3' | 'v3.1'

export interface Signing {
  /** The schemes the file carries, the oldest first. */
  readonly schemes: readonly Scheme[]
  /** The scheme that proves who signed exactly this file; none where that is not proven. */
  readonly verified: Scheme | null
  /** Why it is not. */
  readonly fault: SigningFault | null
  /** Who signed: only where it is proven. */
  readonly signers: readonly Certificate[]
  /** Digests of the certificates the app was signed with before, oldest first, this one last; empty where it never changed. */
  readonly lineage: readonly string[]
}

const blockSchemes = [
  { scheme: 'v2', id: 0x7109871a, hasVersions: false },
  { scheme: 'v3', id: 0xf05368c0, hasVersions: true },
  { scheme: 'v3.1', id: 0x1b93ad61, hasVersions: true },
] as const

const different = (certificates: readonly OpenCertificate[]): readonly Certificate[] => [
  ...new Map(certificates.map((certificate) => [certificate.sha256, withoutKey(certificate)])).values(),
]

/** Every newer signature there is must be right: which of them counts is up to the device's Android. */
async function checkBlock(zip: Zip, block: SigningBlock): Promise<readonly BlockSigner[]> {
  if (zip.end.zip64) throw new Unproven('zip64')
  const signed = blockSchemes.flatMap(({ scheme, id, hasVersions }) => {
    const value = block.values.get(id)
    return value ? [{ scheme, signers: readSigners(value, hasVersions) }] : []
  })
  const all = signed.flatMap(({ signers }) => signers)
  const hasV3 = signed.some(({ scheme }) => scheme !== 'v2')
  if (!hasV3 && all.some(({ claimsV3 }) => claimsV3)) throw new Unproven('stripped')
  const kinds = new Set<ContentDigest>(all.flatMap(({ digests }) => [...digests.keys()]))
  const contents = await digestContents(zip, block, [...kinds])
  for (const { digests } of all)
    for (const [kind, digest] of digests) if (!contents.get(kind)?.equals(digest)) throw new Unproven('contentDiffers')
  return signed.at(-1)?.signers ?? []
}

const unproven = (schemes: readonly Scheme[], fault: SigningFault): Signing => ({
  schemes,
  verified: null,
  fault,
  signers: [],
  lineage: [],
})

/**
 * Who signed the app in an archive. Reads the whole file once (newer schemes), or every entry of it (the oldest alone). The
 * oldest scheme is not looked into where a newer one is there: Android has gone by the newest since version 7.
 */
export async function verifySigning(zip: Zip): Promise<Signing> {
  const schemes: Scheme[] = isJarSigned(zip) ? ['v1'] : []
  try {
    const block = await readBlock(zip)
    schemes.push(...blockSchemes.flatMap(({ scheme, id }) => (block?.values.has(id) ? [scheme] : [])))
    const verified = schemes.at(-1)
    if (verified === undefined) return unproven(schemes, 'unsigned')
    if (!block || verified === 'v1')
      return { schemes, verified, fault: null, signers: different(await checkJar(zip)), lineage: [] }
    const signers = await checkBlock(zip, block)
    const lineage = signers.find((signer) => signer.lineage.length > 0)?.lineage ?? []
    const certificates = different(signers.map(({ certificate }) => certificate))
    return { schemes, verified, fault: null, signers: certificates, lineage }
  } catch (error) {
    if (error instanceof Unproven) return unproven(schemes, error.fault)
    throw error
  }
}

/**
 * Whether Android would put an app over one that these certificates (their digests) have signed: the same ones, or a key that
 * the earlier one has handed over to.
 */
export function mayReplace(earlier: readonly string[], next: Signing): boolean {
  const now = new Set(next.signers.map(({ sha256 }) => sha256))
  if (next.verified === null || earlier.length === 0) return false
  const isSame = earlier.length === now.size && earlier.every((digest) => now.has(digest))
  const [only] = earlier
  return isSame || (earlier.length === 1 && only !== undefined && next.lineage.includes(only))
}
