import { manifestName } from './app/app.ts'
import { Refusal } from './refusal.ts'
import type { Source } from './source.ts'
import { openEntry, windowOfEntry } from './zip/content.ts'
import type { ZipEntry } from './zip/directory.ts'
import type { ZipLimits } from './zip/limits.ts'
import { openZip, type Zip } from './zip/zip.ts'

/** An app's file, or an archive that holds exactly one. */
export type FoundApk =
  /** It is the file itself, or lies in the archive as it is: read it in its place. */
  | { readonly kind: 'apk'; readonly zip: Zip; readonly entry: string | null }
  /**
   * It is packed and cannot be read in its place: write `content` to a file of at most `size` bytes, read it to its end, and
   * look again at that file. Its limits are those that `findApk` was called with.
   */
  | { readonly kind: 'packed'; readonly entry: string; readonly size: number; content(): AsyncGenerator<Buffer> }

/** What some systems put beside every file of an archive. */
const isShadow = (name: string) => name.startsWith('__MACOSX/')
const isApkFile = ({ name, isFolder }: ZipEntry) => !isFolder && /\.apk$/i.test(name) && !isShadow(name)

const holdsApp = (zip: Zip) => zip.find(manifestName) !== undefined

/** Archives in archives are not looked into: what an archive holds must be the app itself. */
export async function findApk(source: Source, limits: Partial<ZipLimits> = {}): Promise<FoundApk> {
  const zip = await openZip(source, limits)
  if (holdsApp(zip)) return { kind: 'apk', zip, entry: null }
  const [entry, ...more] = zip.entries.filter(isApkFile)
  if (!entry || more.length > 0) throw new Refusal('notOneApk')
  const inPlace = windowOfEntry(zip, entry)
  if (!inPlace) return { kind: 'packed', entry: entry.name, size: entry.size, content: () => openEntry(zip, entry) }
  const inner = await openZip(inPlace, limits)
  if (!holdsApp(inner)) throw new Refusal('notAnApk', entry.name)
  return { kind: 'apk', zip: inner, entry: entry.name }
}
