import { mkdir, open } from 'node:fs/promises'
import { join } from 'node:path'
import type { Reply } from '@campanile/contract/protocol'
import { readIfPresent, writePrivate } from './identity.ts'
import type { UpdateStep } from './update/context.ts'

/** What became of a command. An entry without an answer was begun and has not ended. */
export interface Entry {
  readonly id: string
  readonly name: string
  readonly expires: number
  /** Which run of the machine it was begun in: a reboot is done when this has changed. */
  readonly boot: string
  /** By what the agent tells afterwards whether it came to its end. */
  readonly mark?: string
  /** The step of an update that was announced last. */
  readonly step?: UpdateStep
  readonly answer?: Reply
  /** The broker has taken the answer. */
  readonly delivered?: boolean
}

export interface Journal {
  find(id: string): Entry | undefined
  /** On disk before it returns: what is begun must never be begun again. */
  write(entry: Entry): Promise<void>
  all(): Iterable<Entry>
}

/** Expired commands are refused anyway, so an id may be forgotten a while after. */
const keepMs = 24 * 3_600_000
const tidyAfterLines = 500

/** The server's time; undefined while it is not known, and then nothing is forgotten: a wrong clock must not have a command done twice. */
type KnownTime = () => number | undefined

/** Light enough for thousands in one process. */
export const createMemoryJournal = (now: KnownTime): Journal => {
  let entries: Map<string, Entry> | undefined
  return {
    find: (id) => entries?.get(id),
    write: async (entry) => {
      entries ??= new Map()
      entries.set(entry.id, entry)
      if (entries.size > 20)
        for (const each of entries.values()) if (isForgettable(each, now())) entries.delete(each.id)
    },
    all: () => entries?.values() ?? [],
  }
}

const isForgettable = (entry: Entry, now: number | undefined) => now !== undefined && entry.expires + keepMs < now

/** One line per change, appended and synced; the last line of an id counts. */
export const openJournal = async (folder: string, now: KnownTime): Promise<Journal> => {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const path = join(folder, 'journal.jsonl')
  const entries = new Map<string, Entry>()
  for (const line of ((await readIfPresent(path)) ?? '').split('\n')) {
    const entry = readLine(line)
    if (entry) entries.set(entry.id, entry)
  }

  let lines = 0
  const tidy = async () => {
    for (const entry of entries.values()) if (isForgettable(entry, now())) entries.delete(entry.id)
    await writePrivate(path, [...entries.values()].map((entry) => `${JSON.stringify(entry)}\n`).join(''))
    lines = 0
  }
  await tidy()

  let writing: Promise<void> = Promise.resolve()
  const append = async (entry: Entry) => {
    if (lines >= tidyAfterLines) return tidy()
    const file = await open(path, 'a', 0o600)
    try {
      await file.appendFile(`${JSON.stringify(entry)}\n`)
      await file.sync()
    } finally {
      await file.close()
    }
    lines += 1
  }
  return {
    find: (id) => entries.get(id),
    write: (entry) => {
      entries.set(entry.id, entry)
      const written = writing.then(() => append(entry))
      writing = written.catch(() => undefined)
      return written
    },
    all: () => entries.values(),
  }
}

/** A power cut may have torn the last line. */
const readLine = (line: string): Entry | undefined => {
  try {
    const value: unknown = JSON.parse(line)
    return typeof value === 'object' && value !== null && 'id' in value ? (value as Entry) : undefined
  } catch {
    return undefined
  }
}
