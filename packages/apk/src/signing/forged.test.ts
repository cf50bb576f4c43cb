import { generateKeyPairSync, X509Certificate } from 'node:crypto'
import { describe, expect, it, test } from 'vitest'
import { sourceOf } from '../test/archives.ts'
import { type Block, certificateOf, lineageOf, signedArchive } from '../test/signed.ts'
import { openZip } from '../zip/zip.ts'
import { verifySigning } from './signing.ts'

const curve = () => generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 })
const mine = curve()
const theirs = curve()
const parts = [{ name: 'AndroidManifest.xml', content: 'anything' }]
const verify = async (...blocks: readonly Block[]) =>
  verifySigning(await openZip(sourceOf(await signedArchive(parts, blocks))))
const plain: Block = { scheme: 'v2', algorithm: 0x0201, ...mine }
const digestOf = (certificate: Buffer) =>
  new X509Certificate(certificate).fingerprint256.replaceAll(':', '').toLowerCase()
const proof = 0x3ba06f8c

describe('a signature is taken', () => {
  test.each([
    ['RSA-PSS with SHA-256', 0x0101, rsa],
    ['RSA-PSS with SHA-512', 0x0102, rsa],
    ['RSA with SHA-256', 0x0103, rsa],
    ['RSA with SHA-512', 0x0104, rsa],
    ['ECDSA with SHA-256', 0x0201, mine],
    ['ECDSA with SHA-512', 0x0202, mine],
  ])('by %s, in every scheme', async (_, algorithm, keys) => {
    for (const scheme of ['v2', 'v3', 'v3.1'] as const) {
      const signing = await verify({ scheme, algorithm, ...keys })
      expect(signing).toMatchObject({ verified: scheme, fault: null, signers: [{ subject: 'CN=stranger' }] })
      expect(signing.signers[0]?.sha256).toBe(digestOf(certificateOf(keys.publicKey)))
    }
  })
})

describe('a signature is refused', () => {
  test.each<[string, string, Partial<Block>]>([
    ['under the certificate of somebody else', 'certificateWrong', { certificate: certificateOf(theirs.publicKey) }],
    ['under no certificate at all', 'certificateWrong', { certificate: Buffer.from('none') }],
    ['with a digest listed under another algorithm', 'signatureWrong', { digestAlgorithm: 0x0103 }],
    ['by a key that is not the one it was made with', 'signatureWrong', { publicKey: theirs.publicKey }],
    ['for other versions of Android than were signed', 'signatureWrong', { scheme: 'v3', outerMinSdk: 1 }],
  ])('%s', async (_, fault, wrong) => {
    expect(await verify({ ...plain, ...wrong })).toMatchObject({ verified: null, fault, signers: [] })
  })

  it('where an older one is right and the newest is not, or speaks of one that is not there', async () => {
    const newest: Block = { ...plain, scheme: 'v3', certificate: certificateOf(theirs.publicKey) }
    expect(await verify(plain, newest)).toMatchObject({
      schemes: ['v2', 'v3'],
      verified: null,
      fault: 'certificateWrong',
    })
    const claims: Block = { ...plain, attributes: [{ id: 0xbeeff00d, value: Buffer.from([3, 0, 0, 0]) }] }
    expect(await verify(claims)).toMatchObject({ verified: null, fault: 'stripped' })
    expect(await verify(claims, { ...plain, scheme: 'v3' })).toMatchObject({ verified: 'v3' })
  })

  it('where a scheme is there twice', async () => {
    expect(await verify(plain, plain)).toMatchObject({ verified: null, fault: 'blockBroken' })
  })
})

describe('a key that was handed over', () => {
  const [old, now] = [certificateOf(theirs.publicKey, 'old'), certificateOf(mine.publicKey, 'now')]
  const withLineage = (value: Buffer) =>
    verify({ ...plain, scheme: 'v3', certificate: now, attributes: [{ id: proof, value }] })
  const first = { certificate: old, algorithm: 0x0201 }

  it('is told with those before it', async () => {
    const lineage = lineageOf([first, { certificate: now, by: theirs, algorithm: 0x0201 }])
    expect(await withLineage(lineage)).toMatchObject({ verified: 'v3', lineage: [digestOf(old), digestOf(now)] })
  })

  test.each([
    ['the earlier one has not signed it', 'signatureWrong', [first, { certificate: now, by: mine, algorithm: 0x0201 }]],
    ['it ends with another', 'certificateWrong', [first]],
    [
      'it names one twice',
      'certificateWrong',
      [
        { certificate: now, algorithm: 0x0201 },
        { certificate: now, by: mine, algorithm: 0x0201 },
      ],
    ],
  ])('is refused where %s', async (_, fault, nodes) => {
    expect(await withLineage(lineageOf(nodes))).toMatchObject({ verified: null, fault, lineage: [] })
  })
})
