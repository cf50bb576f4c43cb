import { createHash } from 'node:crypto'
import { openEntry, readEntry } from '../zip/content.ts'
import type { ZipEntry } from '../zip/directory.ts'
import type { Zip } from '../zip/zip.ts'
import type { OpenCertificate } from './certificate.ts'
import { Unproven } from './fault.ts'
import { checkPkcs7 } from './pkcs7.ts'
import { digestNamed, readSections, type Section } from './sections.ts'

const folder = 'META-INF/'
const manifestName = 'META-INF/MANIFEST.MF'
const largestManifest = 16 * 1024 * 1024
const largestBlock = 1024 * 1024
const mostSigners = 10
const otherSchemes = 'x-android-apk-signed'

/** The signature files of the first scheme: one names what is signed, one holds the signature. */
function pairsOf(zip: Zip): readonly { readonly file: ZipEntry; readonly block: ZipEntry }[] {
  const named = (ending: RegExp) => {
    const found = zip.entries.filter(({ name }) => ending.test(name))
    return new Map(found.map((entry) => [entry.name.replace(/\.[^.]*$/, ''), entry]))
  }
  const blocks = named(/^META-INF\/[^/]+\.(RSA|DSA|EC)$/i)
  return [...named(/^META-INF\/[^/]+\.SF$/i)].flatMap(([stem, file]) => {
    const block = blocks.get(stem)
    return block ? [{ file, block }] : []
  })
}

export const isJarSigned = (zip: Zip): boolean => zip.find(manifestName) !== undefined && pairsOf(zip).length > 0

/** Files beside the signatures are signed; the signatures, folders and what lies directly with them are not. */
function needsDigest({ name, isFolder }: ZipEntry): boolean {
  if (isFolder) return false
  if (!name.startsWith(folder) || name.indexOf('/', folder.length) >= 0) return true
  return !/(^META-INF\/MANIFEST\.MF|\.SF|\.RSA|\.DSA|\.EC)$/i.test(name) && !/^META-INF\/SIG-/i.test(name)
}

async function checkFile(zip: Zip, entry: ZipEntry, section: Section | undefined): Promise<void> {
  if (!section) throw new Unproven('notCovered')
  const { hash, digest } = digestNamed(section, '-digest')
  const sum = createHash(hash)
  for await (const piece of openEntry(zip, entry)) sum.update(piece)
  if (!sum.digest().equals(digest)) throw new Unproven('contentDiffers')
}

/**
 * Verifies the oldest scheme: each signature covers a list of digests, the list covers the manifest, the manifest every file.
 * What lies between the files is covered by nothing, which is why the newer schemes exist.
 */
export async function checkJar(zip: Zip): Promise<readonly OpenCertificate[]> {
  const manifestEntry = zip.find(manifestName)
  const pairs = pairsOf(zip)
  if (!manifestEntry || pairs.length === 0) throw new Unproven('unsigned')
  if (pairs.length > mostSigners) throw new Unproven('blockBroken')
  const manifest = await readEntry(zip, manifestEntry, largestManifest)
  const signers: OpenCertificate[] = []
  for (const pair of pairs) {
    const file = await readEntry(zip, pair.file, largestManifest)
    signers.push(...checkPkcs7(await readEntry(zip, pair.block, largestBlock), file))
    const { main } = readSections(file)
    if (/[23]/.test(main.get(otherSchemes) ?? '')) throw new Unproven('stripped')
    const { hash, digest } = digestNamed(main, '-digest-manifest')
    if (!createHash(hash).update(manifest).digest().equals(digest)) throw new Unproven('contentDiffers')
  }
  const { files } = readSections(manifest)
  for (const name of files.keys()) if (!zip.find(name)) throw new Unproven('contentDiffers')
  for (const entry of zip.entries.filter(needsDigest)) await checkFile(zip, entry, files.get(entry.name))
  return signers
}
