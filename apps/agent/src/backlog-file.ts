import { mkdir, open, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { z } from 'zod'
import { type Backlog, type Loss, lossOf, nothingLost, type Waiting } from './backlog.ts'
import { readIfPresent, writePrivate } from './identity.ts'

/** The store is made of this many files at most: the oldest is given up as a whole. */
const parts = 20
const partBytesMin = 4_096

interface Part {
  readonly number: number
  bytes: number
  states: number
  events: number
  /** Of its lines, how many the broker has taken. */
  taken: number
}
interface Line {
  readonly kind: Waiting['kind']
  readonly text: string
}

const figures = z.object({
  part: z.number(),
  taken: z.number(),
  lost: z.object({ states: z.number(), events: z.number() }),
})
const codes = { s: 'state', e: 'event' } as const
const checksum = (text: string) => crc32(text).toString(16).padStart(8, '0')

const lineOf = ({ kind, moment, body }: Waiting): string => {
  const text = `${kind === 'state' ? 's' : 'e'} ${JSON.stringify({ moment, body })}`
  return `${checksum(text)} ${text}\n`
}
/** A power cut tears the last line, an old card any of them: what does not fit its checksum is passed over. */
const linesOf = (content: string): Line[] =>
  content.split('\n').flatMap((line) => {
    const text = line.slice(9)
    const kind = codes[text[0] as keyof typeof codes]
    return kind && checksum(text) === line.slice(0, 8) ? [{ kind, text: line }] : []
  })
const read = ({ kind, text }: Line): Waiting => ({ kind, ...JSON.parse(text.slice(11)) })
const count = (lines: readonly Line[]): Loss => {
  const states = lines.filter(({ kind }) => kind === 'state').length
  return { states, events: lines.length - states }
}

/**
 * Kept on disk in files that only grow, each line synced and with a checksum. What the broker has taken is noted beside
 * them now and then; a cut in between makes it told again, which a server does not mind. When the store is full the oldest
 * measurements go, events last of all.
 */
export const openBacklog = async (
  stateFolder: string,
  maxBytes: number,
  log: (line: string) => void,
): Promise<Backlog> => {
  const folder = join(stateFolder, 'backlog')
  const figuresPath = join(folder, 'figures.json')
  const pathOf = ({ number }: { number: number }) => join(folder, `${String(number).padStart(8, '0')}.log`)
  const partBytes = Math.max(partBytesMin, Math.ceil(maxBytes / parts))
  await mkdir(folder, { recursive: true, mode: 0o700 })

  const load = async (part: { number: number }) => linesOf((await readIfPresent(pathOf(part))) ?? '')
  const known = figures.safeParse(readJson(await readIfPresent(figuresPath))).data
  let lost: Loss = known?.lost ?? nothingLost
  const all: Part[] = []
  for (const name of (await readdir(folder)).filter((each) => /^\d{8}\.log$/.test(each)).sort()) {
    const number = Number(name.slice(0, 8))
    const content = await readFile(join(folder, name), 'utf8')
    const taken = known?.part === number ? known.taken : 0
    all.push({ number, bytes: Buffer.byteLength(content), taken, ...count(linesOf(content)) })
  }
  let last = all.at(-1)?.number ?? known?.part ?? 0
  /** The part that grows; a new one after each start, for the end of the last may be torn. */
  let growing: Part | undefined
  /** The lines of the part that is being told. */
  let telling: { readonly part: Part; readonly lines: readonly Line[] } | undefined
  let complained = false

  const note = () =>
    writeFile(`${figuresPath}.new`, JSON.stringify({ part: all[0]?.number ?? last, taken: all[0]?.taken ?? 0, lost }), {
      mode: 0o600,
    }).then(() => rename(`${figuresPath}.new`, figuresPath))

  const remove = async (part: Part) => {
    all.splice(all.indexOf(part), 1)
    if (growing === part) growing = undefined
    if (telling?.part === part) telling = undefined
    await rm(pathOf(part), { force: true })
  }

  /** Makes room: the measurements of the oldest part that has any, or where only events are left, the oldest of those. */
  const shed = async () => {
    const part = all.find(({ states }) => states > 0) ?? all[0]
    if (!part) return
    const left = (await load(part)).slice(part.taken)
    const events = part.states > 0 ? left.filter(({ kind }) => kind === 'event') : []
    const gone = count(left)
    lost = lossOf(lost, { states: gone.states, events: gone.events - events.length })
    if (events.length === 0) await remove(part)
    else {
      const content = events.map(({ text }) => `${text}\n`).join('')
      await writePrivate(pathOf(part), content)
      Object.assign(part, { bytes: Buffer.byteLength(content), states: 0, events: events.length, taken: 0 })
      if (growing === part) growing = undefined
      if (telling?.part === part) telling = undefined
    }
    await note()
  }

  const append = async (waiting: Waiting) => {
    if (!growing || growing.bytes >= partBytes) {
      last += 1
      growing = { number: last, bytes: 0, states: 0, events: 0, taken: 0 }
      all.push(growing)
    }
    const part = growing
    const line = lineOf(waiting)
    // A write that fails may have left half a line: what follows begins elsewhere.
    growing = undefined
    const file = await open(pathOf(part), 'a', 0o600)
    try {
      await file.appendFile(line)
      await file.datasync()
    } finally {
      await file.close()
    }
    growing = part
    part.bytes += Buffer.byteLength(line)
    part[waiting.kind === 'state' ? 'states' : 'events'] += 1
    while (all.length > 0 && all.reduce((sum, { bytes }) => sum + bytes, 0) > maxBytes) await shed()
  }

  const add = async (waiting: Waiting) => {
    try {
      await append(waiting)
      complained = false
    } catch (error) {
      lost = lossOf(lost, waiting.kind === 'state' ? { states: 1, events: 0 } : { states: 0, events: 1 })
      if (!complained) log(`what is measured cannot be kept: ${error instanceof Error ? error.message : error}`)
      complained = true
    }
  }

  const first = async (most: number): Promise<Awaited<ReturnType<Backlog['first']>>> => {
    for (let part = all[0]; part; part = all[0]) {
      // Told from here on; what comes in meanwhile begins a part of its own.
      if (growing === part) growing = undefined
      if (telling?.part !== part) telling = { part, lines: await load(part) }
      const now = telling
      const lines = now.lines.slice(part.taken, part.taken + most)
      if (lines.length > 0) {
        const taken = (unwanted: Loss) =>
          inTurn(async () => {
            if (telling !== now) return
            lost = lossOf(lost, unwanted)
            part.taken += lines.length
            if (part.taken >= now.lines.length) await remove(part)
            await note()
          })
        return { waiting: lines.map(read), taken }
      }
      await remove(part)
    }
    return { waiting: [], taken: async () => undefined }
  }

  /** One thing after the other: what reads must not meet what writes. */
  let turn: Promise<unknown> = Promise.resolve()
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const done = turn.then(work)
    turn = done.catch(() => undefined)
    return done
  }

  return {
    get size() {
      return all.reduce((sum, { states, events, taken }) => sum + Math.max(0, states + events - taken), 0)
    },
    get lost() {
      return lost
    },
    add: (waiting) => inTurn(() => add(waiting)),
    first: (most) => inTurn(() => first(most)),
    forgive: (told) =>
      inTurn(async () => {
        lost = lossOf(lost, { states: -told.states, events: -told.events })
        await note()
      }),
  }
}

const readJson = (text: string | undefined): unknown => {
  try {
    return JSON.parse(text ?? '')
  } catch {
    return undefined
  }
}
