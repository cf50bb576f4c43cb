import type { Readable } from 'node:stream'
import { SaxesParser, type SaxesTagPlain } from 'saxes'
import yauzl from 'yauzl'
import { type CellFault, isoCell, numberCell, type ReadCell, showsMoment } from './cell.ts'

export interface SheetRow {
  /** As the spreadsheet program shows it, from 1. */
  readonly number: number
  readonly cells: readonly (string | null)[]
  /** By column, what keeps a cell from being taken. */
  readonly faults?: Readonly<Record<number, CellFault>>
  /** Bare numbers of days count from 1904. */
  readonly since1904?: true
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
export const maxText = 32_767

const unsafePart = /vbaProject|macrosheets\/|externalLinks\/|embeddings\/|activeX\/|ctrlProps\//i

/**
 * The first sheet of a workbook that is not hidden: values only. Formulas, merged ranges and what the file says of its size are
 * not looked at, and of the styles only which of them show a day or a time.
 */
export const parseWorkbook = async (bytes: Buffer, limits: SheetLimits = sheetLimits): Promise<SheetRow[]> => {
  if (bytes.length < 4 || bytes.readUInt32LE(0) !== 0x04034b50) throw new SheetRefusal('notAWorkbook')
  try {
    const archive = await openArchive(bytes, limits)
    if (!archive.has('xl/workbook.xml')) throw new SheetRefusal('notAWorkbook')
    await refuseMacros(archive)
    const { sheet, since1904 } = await firstSheet(archive)
    const strings = await sharedStrings(archive)
    const moments = await momentStyles(archive)
    return await sheetRows(archive, sheet, { strings, moments, since1904 }, limits)
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

const isTrue = (word: string | undefined) => word === '1' || word === 'true'

const firstSheet = async (archive: Archive): Promise<{ sheet: string; since1904: boolean }> => {
  let id: string | undefined
  let since1904 = false
  await archive.read(
    'xl/workbook.xml',
    sax({
      open: (tag, attributes) => {
        if (tag === 'workbookPr') since1904 = isTrue(attributes.date1904)
        // What its author hid is not what its reader sees and means.
        const shown = attributes.state === undefined || attributes.state === 'visible'
        if (tag === 'sheet' && shown) id ??= Object.entries(attributes).find(([name]) => bare(name) === 'id')?.[1]
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
  return { sheet: target.startsWith('/') ? target.slice(1) : `xl/${target}`, since1904 }
}

/** By the number a cell names its style by, whether it shows a day or a time of day. */
const momentStyles = async (archive: Archive): Promise<boolean[]> => {
  const moments: boolean[] = []
  if (!archive.has('xl/styles.xml')) return moments
  const codes = new Map<number, string>()
  let inCells = false
  const styles = archive.read(
    'xl/styles.xml',
    sax({
      open: (tag, { numFmtId = '0', formatCode = '' }) => {
        if (tag === 'numFmt') codes.set(Number(numFmtId), formatCode)
        if (tag === 'cellXfs') inCells = true
        if (tag === 'xf' && inCells) moments.push(showsMoment(Number(numFmtId), codes.get(Number(numFmtId))))
      },
      close: (tag) => {
        if (tag === 'cellXfs') inCells = false
      },
    }),
  )
  // Styles without end are looked at as far as they are harmless, and nobody is refused for them.
  await styles.catch((error) => {
    if (!(error instanceof SheetRefusal && error.reason === 'tooLarge')) throw error
  })
  return moments
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

/** Only what is not as usual is said. */
export const sheetRow = (
  number: number,
  cells: readonly (string | null)[],
  faults: Readonly<Record<number, CellFault>>,
  since1904: boolean,
): SheetRow => ({
  number,
  cells,
  ...(Object.keys(faults).length > 0 && { faults }),
  ...(since1904 && { since1904: true as const }),
})

const columnIndex = (reference: string): number => {
  let index = 0
  for (const letter of reference) {
    const value = letter.charCodeAt(0) - 64
    if (value < 1 || value > 26) break
    index = index * 26 + value
  }
  return index - 1
}

interface Workbook {
  readonly strings: readonly string[]
  readonly moments: readonly boolean[]
  readonly since1904: boolean
}

const sheetRows = async (
  archive: Archive,
  name: string,
  { strings, moments, since1904 }: Workbook,
  limits: SheetLimits,
) => {
  const rows: SheetRow[] = []
  let number = 0
  let cells: (string | null)[] = []
  let faults: Record<number, CellFault> = {}
  let style = 0
  let column = -1
  let type = ''
  let text = ''
  let collecting = false

  const readCell = (): ReadCell => {
    if (type === 's') return { text: strings[Number(text)] ?? '' }
    if (type === 'b') return { text: text === '1' ? 'true' : 'false' }
    if (type === 'e') return { text: decoded(text), fault: 'failed' }
    if (type === 'd') return isoCell(decoded(text))
    if (type === 'inlineStr' || type === 'str') return { text: decoded(text) }
    return numberCell(text, moments[style], since1904)
  }

  await archive.read(
    name,
    sax({
      open: (tag, attributes) => {
        if (tag === 'row') {
          const said = Number(attributes.r)
          number = said > number && said <= 1_048_576 ? said : number + 1
          cells = []
          faults = {}
          column = -1
        } else if (tag === 'c') {
          column = attributes.r ? columnIndex(attributes.r) : column + 1
          type = attributes.t ?? 'n'
          style = Number(attributes.s ?? 0)
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
          const { text: value, fault } = text === '' ? { text: '' } : readCell()
          if (value.trim() === '') return
          if (column < 0 || column >= limits.columns || value.length > maxText) throw new SheetRefusal('tooLarge')
          while (cells.length < column) cells.push(null)
          cells[column] = value
          if (fault) faults[column] = fault
        } else if (tag === 'row' && cells.length > 0) {
          if (rows.length >= limits.rows) throw new SheetRefusal('tooManyRows')
          rows.push(sheetRow(number, cells, faults, since1904))
        }
      },
    }),
  )
  return rows
}
