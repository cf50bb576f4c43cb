import { type CellFault, numberCell, type ReadCell, showsMoment } from './cell.ts'
import { isCompound, readStream } from './compound.ts'
import { type SheetLimits, SheetRefusal, type SheetRow, sheetRow } from './parse.ts'

export const isOldWorkbook = isCompound

const record = {
  formula: 0x0006,
  endOfPart: 0x000a,
  since1904: 0x0022,
  password: 0x002f,
  continued: 0x003c,
  sheet: 0x0085,
  severalNumbers: 0x00bd,
  style: 0x00e0,
  strings: 0x00fc,
  sharedString: 0x00fd,
  number: 0x0203,
  text: 0x0204,
  boolean: 0x0205,
  formulaText: 0x0207,
  smallNumber: 0x027e,
  format: 0x041e,
  beginning: 0x0809,
} as const
const version8 = 0x0600

interface Piece {
  readonly kind: number
  readonly at: number
  readonly data: Buffer
}

function* pieces(stream: Buffer, from = 0): Generator<Piece> {
  for (let at = from; at + 4 <= stream.length; ) {
    const length = stream.readUInt16LE(at + 2)
    yield { kind: stream.readUInt16LE(at), at, data: stream.subarray(at + 4, at + 4 + length) }
    at += 4 + length
  }
}

/** The table of texts runs on over several pieces; a text that is cut says anew how its characters are written. */
const readStrings = (parts: readonly Buffer[]): string[] => {
  let part = 0
  let at = 8
  const bytesLeft = () => (parts[part]?.length ?? 0) - at
  const take = (length: number): Buffer => {
    if (bytesLeft() === 0) {
      part += 1
      at = 0
    }
    const taken = parts[part]?.subarray(at, at + length)
    if (taken?.length !== length) throw new RangeError('cut short')
    at += length
    return taken
  }
  const skip = (length: number) => {
    for (let rest = length; rest > 0; ) {
      const step = Math.min(rest, bytesLeft())
      at += step
      rest -= step
      if (rest === 0) return
      if (part >= parts.length) throw new RangeError('cut short')
      part += 1
      at = 0
    }
  }
  const characters = (count: number, wideAtFirst: boolean): string => {
    let wide = wideAtFirst
    let text = ''
    for (let rest = count; rest > 0; ) {
      if (bytesLeft() === 0) wide = ((take(1)[0] ?? 0) & 1) === 1
      const fit = Math.min(rest, Math.floor(bytesLeft() / (wide ? 2 : 1)))
      if (fit === 0) throw new RangeError('cut short')
      text += take(fit * (wide ? 2 : 1)).toString(wide ? 'utf16le' : 'latin1')
      rest -= fit
    }
    return text
  }
  const found: string[] = []
  const count = parts[0]?.readUInt32LE(4) ?? 0
  while (found.length < count && (bytesLeft() > 0 || part < parts.length - 1)) {
    const length = take(2).readUInt16LE(0)
    const flags = take(1)[0] ?? 0
    const runs = flags & 8 ? take(2).readUInt16LE(0) : 0
    const extra = flags & 4 ? take(4).readUInt32LE(0) : 0
    found.push(characters(length, (flags & 1) === 1))
    skip(runs * 4 + extra)
  }
  return found
}

/** Thirty bits of a number: a whole one or the front of a fraction, perhaps a hundredfold. */
const small = (bits: number): number => {
  const front = Buffer.alloc(8)
  front.writeInt32LE(bits & ~3, 4)
  const value = bits & 2 ? bits >> 2 : front.readDoubleLE(0)
  return bits & 1 ? value / 100 : value
}

const textIn = (data: Buffer): string => {
  const wide = ((data[2] ?? 0) & 1) === 1
  return data.subarray(3, 3 + data.readUInt16LE(0) * (wide ? 2 : 1)).toString(wide ? 'utf16le' : 'latin1')
}

/** What a formula came to that failed, as spreadsheets write it. */
const failures: Readonly<Record<number, string>> = {
  0: '#NULL!',
  7: '#DIV/0!',
  15: '#VALUE!',
  23: '#REF!',
  29: '#NAME?',
  36: '#NUM!',
  42: '#N/A',
}
const failed = (code: number | undefined): ReadCell => ({ text: failures[code ?? 0x2a] ?? '#N/A', fault: 'failed' })
const truth = (byte: number | undefined): ReadCell => ({ text: byte ? 'TRUE' : 'FALSE' })

/** The first sheet of an old workbook (.xls, Excel 97 to 2003) that is not hidden: values only. */
export const parseOldWorkbook = (bytes: Buffer, limits: SheetLimits): SheetRow[] => {
  const stream = readStream(bytes, 'Workbook')
  if (!stream || stream.readUInt16LE(0) !== record.beginning || stream.readUInt16LE(4) !== version8)
    throw new SheetRefusal('notAWorkbook')

  let start: number | undefined
  let strings: string[] = []
  let since1904 = false
  const formats = new Map<number, string>()
  const styles: number[] = []
  const globals = [...untilEnd(pieces(stream))]
  for (const [at, { kind, data }] of globals.entries()) {
    if (kind === record.password) throw new SheetRefusal('damaged')
    if (kind === record.since1904) since1904 = data[0] === 1
    if (kind === record.format) formats.set(data.readUInt16LE(0), textIn(data.subarray(2)))
    if (kind === record.style) styles.push(data.readUInt16LE(2))
    const shown = ((data[4] ?? 0) & 3) === 0
    if (kind === record.sheet && data[5] === 0 && shown) start ??= data.readUInt32LE(0)
    if (kind === record.strings) {
      const rest = globals.slice(at + 1)
      const end = rest.findIndex((piece) => piece.kind !== record.continued)
      strings = readStrings([data, ...rest.slice(0, end === -1 ? rest.length : end).map((piece) => piece.data)])
    }
  }
  if (start === undefined) throw new SheetRefusal('damaged')

  const rows = new Map<number, { cells: (string | null)[]; faults: Record<number, CellFault> }>()
  const put = (row: number, column: number, { text, fault }: ReadCell) => {
    if (column >= limits.columns || text === '') return
    const { cells, faults } = rows.get(row) ?? { cells: [], faults: {} }
    while (cells.length <= column) cells.push(null)
    cells[column] = text
    if (fault) faults[column] = fault
    rows.set(row, { cells, faults })
    if (rows.size > limits.rows) throw new SheetRefusal('tooManyRows')
  }
  const figure = (value: number, style: number): ReadCell => {
    const format = styles[style] ?? 0
    return numberCell(String(value), showsMoment(format, formats.get(format)), since1904)
  }
  let formula: { row: number; column: number } | undefined
  for (const { kind, data } of untilEnd(pieces(stream, start))) {
    if (kind === record.formulaText && formula) put(formula.row, formula.column, { text: textIn(data) })
    formula = kind === record.formulaText ? undefined : formula
    if (data.length < 6) continue
    const row = data.readUInt16LE(0)
    const column = data.readUInt16LE(2)
    const style = data.readUInt16LE(4)
    if (kind === record.sharedString) put(row, column, { text: strings[data.readUInt32LE(6)] ?? '' })
    else if (kind === record.text) put(row, column, { text: textIn(data.subarray(6)) })
    else if (kind === record.number) put(row, column, figure(data.readDoubleLE(6), style))
    else if (kind === record.smallNumber) put(row, column, figure(small(data.readInt32LE(6)), style))
    else if (kind === record.boolean) put(row, column, data[7] === 0 ? truth(data[6]) : failed(data[6]))
    else if (kind === record.formula) {
      if (data.readUInt16LE(12) !== 0xffff) put(row, column, figure(data.readDoubleLE(6), style))
      // A text it came to follows in a piece of its own.
      else if (data[6] === 0) formula = { row, column }
      else if (data[6] === 1) put(row, column, truth(data[8]))
      else if (data[6] === 2) put(row, column, failed(data[8]))
    } else if (kind === record.severalNumbers)
      for (let at = 4; at + 6 <= data.length - 2; at += 6)
        put(row, column + (at - 4) / 6, figure(small(data.readInt32LE(at + 2)), data.readUInt16LE(at)))
  }
  return [...rows]
    .sort(([a], [b]) => a - b)
    .map(([row, { cells, faults }]) => sheetRow(row + 1, cells, faults, since1904))
}

/** Up to the end of the part that begins here; charts inside it begin and end on their own. */
function* untilEnd(all: Iterable<Piece>): Generator<Piece> {
  let depth = 0
  for (const piece of all) {
    if (piece.kind === record.beginning) depth += 1
    if (piece.kind === record.endOfPart) depth -= 1
    if (depth <= 0) return
    if (depth === 1) yield piece
  }
}
