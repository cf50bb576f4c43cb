import { Refusal } from '../refusal.ts'
import type { Source } from '../source.ts'
import { readDirectory, type ZipEntry } from './directory.ts'
import { readEnd, type ZipEnd } from './end.ts'
import { placeContents } from './headers.ts'
import { type ZipLimits, zipLimits } from './limits.ts'

/** An archive whose directory and headers were looked at as a whole. Nothing of its contents has been read. */
export interface Zip {
  readonly source: Source
  readonly limits: ZipLimits
  readonly end: ZipEnd
  readonly entries: readonly ZipEntry[]
  find(name: string): ZipEntry | undefined
  /** Where the content of an entry begins. */
  contentAt(entry: ZipEntry): number
  /** Counts bytes that came out of an entry; refuses when they are more than one archive may give. */
  count(bytes: number): void
}

/** Reads and checks the directory of an archive; throws a `Refusal` where anything about it is not as it should be. */
export async function openZip(source: Source, limits: Partial<ZipLimits> = {}): Promise<Zip> {
  const all = { ...zipLimits, ...limits }
  const end = await readEnd(source)
  const listed = await readDirectory(source, end, all)
  const begins = await placeContents(source, listed, end)
  const entries = listed.map(({ nameBytes, flags, ...entry }): ZipEntry => entry)
  const byName = new Map(entries.map((entry) => [entry.name, entry]))
  let inflated = 0
  return {
    source,
    limits: all,
    end,
    entries,
    find: (name) => byName.get(name),
    contentAt(entry) {
      const begin = begins.get(entry.name)
      if (begin === undefined) throw new Refusal('directoryBroken', entry.name)
      return begin
    },
    count(bytes) {
      inflated += bytes
      if (inflated > all.inflated) throw new Refusal('tooLarge')
    },
  }
}
