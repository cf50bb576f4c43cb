import type { Readable } from 'node:stream'
import { SaxesParser, type SaxesTagPlain } from 'saxes'
import yauzl from 'yauzl'

export interface SheetRow {
  /** As the spreadsheet program shows it, from 1. */
  readonly number: number
  readonly cells: readonly (string | null)[]
}

export type Reason = 'notAWorkbook' | 'unsafe' | 'damaged' | 'tooLarge' | 'tooManyRows'

/** Why a file is not taken. Said in one word: what a parser complains about helps nobody who fills in a form. */
export class SheetRefusal extends Error {
  override readonly name = 'SheetRefusal'
  readonly reason: Reason
  constructor(reason: Reason) {
    super(reason)
    this.reason = reason
  }
}

export interface SheetLimits {
  /** Rows with something in them, the header included. */
  readonly rows: number
  readonly columns: number
  readonly entries: number
  /** Inflated, all parts together; counted while inflating, never believed. */
  readonly bytes: number
  readonly ratio: number
}

export const sheetLimits: SheetLimits = {
  rows: 10_001,
  columns: 200,
  entries: 1_000,
  bytes: 64 * 1024 ** 2,
  ratio: 100,
}
/** Below this a part may be packed as tightly as it likes. */
const harmlessBytes = 1024 ** 2
const maxText = 32_767

const unsafePart = /vbaProject|macrosheets\/|externalLinks\/|embeddings\/|activeX\/|ctrlProps\//i

/** The first sheet of a workbook: values only. Formulas, styles, merged ranges and what the file says of its size are not looked at. */
export const parseWorkbook = async (bytes: Buffer, limits: SheetLimits = sheetLimits): Promise<SheetRow[]> => {
  if (bytes.length < 4 || bytes.readUInt32LE(0) !== 0x04034b50) throw new SheetRefusal('notAWorkbook')
  try {
    const archive = await openArchive(bytes, limits)
    if (!archive.has('xl/workbook.xml')) throw new SheetRefusal('notAWorkbook')
    await refuseMacros(archive)
    const sheet = await firstSheet(archive)
    const strings = await sharedStrings(archive)
    return await sheetRows(archive, sheet, strings, limits)
  } catch (error) {
    throw error instanceof SheetRefusal ? error : new SheetRefusal('damaged')
  }
}

interface Archive {
  has(name: string): boolean
  read(name: string, parser: Sax): Promise<void>
}

/** Looks at the whole index before a single byte is inflated. */
const openArchive = async (bytes: Buffer, limits: SheetLimits): Promise<Archive> => {
  const zip = await new Promise<yauzl.ZipFile>((resolve, reject) =>
    yauzl.fromBuffer(bytes, { lazyEntries: true, strictFileNames: true }, (error, file) =>
      error ? reject(error) : resolve(file),
    ),
  )
  if (zip.entryCount > limits.entries) throw new SheetRefusal('tooLarge')
  const entries = new Map<string, yauzl.Entry>()
  await new Promise<void>((resolve, reject) => {
    zip.on('error', reject)
    zip.on('end', resolve)
    zip.on('entry', (entry: yauzl.Entry) => {
      const name = entry.fileName
      if (entries.has(name) || entry.isEncrypted()) return reject(new SheetRefusal('damaged'))
      if (unsafePart.test(name)) return reject(new SheetRefusal('unsafe'))
      entries.set(name, entry)
      zip.readEntry()
    })
    zip.readEntry()
  })
  refuseOverlap([...entries.values()])

  let inflated = 0
  const read = async (name: string, parser: Sax) => {
    const entry = entries.get(name)
    if (!entry) throw new SheetRefusal('damaged')
    const stream = await new Promise<Readable>((resolve, reject) =>
      zip.openReadStream(entry, (error, content) => (error ? reject(error) : resolve(content))),
    )
    const decoder = new TextDecoder('utf-8', { fatal: true })
    let own = 0
    // Leaving the loop by an error also ends the inflating.
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      own += chunk.length
      inflated += chunk.length
      const tooTight = own > harmlessBytes && own > entry.compressedSize * limits.ratio
      if (inflated > limits.bytes || tooTight) throw new SheetRefusal('tooLarge')
      parser.write(decoder.decode(chunk, { stream: true }))
    }
    parser.write(decoder.decode()).close()
  }
  return { has: (name) => entries.has(name), read }
}

/** Two entries over the same bytes: a small file that inflates without end. */
const refuseOverlap = (entries: yauzl.Entry[]) => {
  const ordered = entries.sort((a, b) => a.relativeOffsetOfLocalHeader - b.relativeOffsetOfLocalHeader)
  let end = 0
  for (const entry of ordered) {
    if (entry.relativeOffsetOfLocalHeader < end) throw new SheetRefusal('damaged')
    end = entry.relativeOffsetOfLocalHeader + 30 + entry.compressedSize
  }
}

interface Sax {
  write(text: string): Sax
  close(): void
}
interface Handlers {
  open?: (tag: string, attributes: Readonly<Record<string, string>>) => void
  text?: (text: string) => void
  close?: (tag: string) => void
}

const bare = (name: string) => name.slice(name.indexOf(':') + 1)

/** No document type, so no entities: nothing is fetched and nothing grows. */
const sax = ({ open, text, close }: Handlers): Sax => {
  const parser = new SaxesParser()
  parser.on('doctype', () => {
    throw new SheetRefusal('unsafe')
  })
  parser.on('error', () => {
    throw new SheetRefusal('damaged')
  })
  if (open) parser.on('opentag', (tag: SaxesTagPlain) => open(bare(tag.name), tag.attributes))
  if (text) {
    parser.on('text', text)
    parser.on('cdata', text)
  }
  if (close) parser.on('closetag', (tag: SaxesTagPlain) => close(bare(tag.name)))
  return parser as unknown as Sax
}

const refuseMacros = (archive: Archive) =>
  archive.read(
    '[Content_Types].xml',
    sax({
      open: (_, { ContentType = '' }) => {
        if (/macroEnabled|vbaProject|oleObject/i.test(ContentType)) throw new SheetRefusal('unsafe')
      },
    }),
  )

const firstSheet = async (archive: Archive): Promise<string> => {
  let id: string | undefined
  await archive.read(
    'xl/workbook.xml',
    sax({
      open: (tag, attributes) => {
        if (tag === 'sheet') id ??= Object.entries(attributes).find(([name]) => bare(name) === 'id')?.[1]
      },
    }),
  )
  const targets = new Map<string, string>()
  await archive.read(
    'xl/_rels/workbook.xml.rels',
    sax({
      open: (tag, { Id = '', Target = '', TargetMode = '' }) => {
        if (/external/i.test(TargetMode)) throw new SheetRefusal('unsafe')
        if (tag === 'Relationship') targets.set(Id, Target)
      },
    }),
  )
  const target = targets.get(id ?? '')
  if (!target) throw new SheetRefusal('damaged')
  return target.startsWith('/') ? target.slice(1) : `xl/${target}`
}

/** `_x000D_` is how the format writes a character XML cannot hold. */
const decoded = (text: string) =>
  text.includes('_x')
    ? text.replace(/_x([0-9a-f]{4})_/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    : text

const sharedStrings = async (archive: Archive): Promise<string[]> => {
  const strings: string[] = []
  if (!archive.has('xl/sharedStrings.xml')) return strings
  let text = ''
  let inText = false
  let inReading = false
  await archive.read(
    'xl/sharedStrings.xml',
    sax({
      open: (tag) => {
        if (tag === 'si') text = ''
        // How a Japanese name is read aloud is not part of the name.
        if (tag === 'rPh') inReading = true
        if (tag === 't') inText = !inReading
      },
      text: (part) => {
        if (inText) text += part
      },
      close: (tag) => {
        if (tag === 't') inText = false
        if (tag === 'rPh') inReading = false
        if (tag === 'si') strings.push(decoded(text))
      },
    }),
  )
  return strings
}

const columnIndex = (reference: string): number => {
  let index = 0
  for (const letter of reference) {
    const value = letter.charCodeAt(0) - 64
    if (value < 1 || value > 26) break
    index = index * 26 + value
  }
  return index - 1
}

const sheetRows = async (archive: Archive, name: string, strings: readonly string[], limits: SheetLimits) => {
  const rows: SheetRow[] = []
  let number = 0
  let cells: (string | null)[] = []
  let column = -1
  let type = ''
  let text = ''
  let collecting = false

  const cellText = (): string | null => {
    if (type === 's') return strings[Number(text)] ?? null
    if (type === 'b') return text === '1' ? 'true' : 'false'
    if (type === 'inlineStr' || type === 'str' || type === 'd' || type === 'e') return decoded(text)
    // 1.38E10 is a telephone number somebody typed.
    return /e/i.test(text) && Number.isFinite(Number(text)) ? String(Number(text)) : text
  }

  await archive.read(
    name,
    sax({
      open: (tag, attributes) => {
        if (tag === 'row') {
          const said = Number(attributes.r)
          number = said > number && said <= 1_048_576 ? said : number + 1
          cells = []
          column = -1
        } else if (tag === 'c') {
          column = attributes.r ? columnIndex(attributes.r) : column + 1
          type = attributes.t ?? 'n'
          text = ''
        } else if (tag === 'v' || tag === 't') collecting = true
        else if (tag === 'rPh') collecting = false
      },
      text: (part) => {
        if (collecting) text += part
      },
      close: (tag) => {
        if (tag === 'v' || tag === 't') collecting = false
        else if (tag === 'c') {
          const value = text === '' ? null : cellText()
          if (value === null || value.trim() === '') return
          if (column < 0 || column >= limits.columns || value.length > maxText) throw new SheetRefusal('tooLarge')
          while (cells.length < column) cells.push(null)
          cells[column] = value
        } else if (tag === 'row' && cells.length > 0) {
          if (rows.length >= limits.rows) throw new SheetRefusal('tooManyRows')
          rows.push({ number, cells })
        }
      },
    }),
  )
  return rows
}
