import { isCompound, readStream } from './compound.ts'
import { type SheetLimits, SheetRefusal, type SheetRow } from './parse.ts'

export const isOldWorkbook = isCompound

const record = {
  formula: 0x0006,
  endOfPart: 0x000a,
  password: 0x002f,
  continued: 0x003c,
  sheet: 0x0085,
  severalNumbers: 0x00bd,
  strings: 0x00fc,
  sharedString: 0x00fd,
  number: 0x0203,
  text: 0x0204,
  boolean: 0x0205,
  formulaText: 0x0207,
  smallNumber: 0x027e,
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

/** The first sheet of an old workbook (.xls, Excel 97 to 2003): values only. */
export const parseOldWorkbook = (bytes: Buffer, limits: SheetLimits): SheetRow[] => {
  const stream = readStream(bytes, 'Workbook')
  if (!stream || stream.readUInt16LE(0) !== record.beginning || stream.readUInt16LE(4) !== version8)
    throw new SheetRefusal('notAWorkbook')

  let start: number | undefined
  let strings: string[] = []
  const globals = [...untilEnd(pieces(stream))]
  for (const [at, { kind, data }] of globals.entries()) {
    if (kind === record.password) throw new SheetRefusal('damaged')
    if (kind === record.sheet && data[5] === 0) start ??= data.readUInt32LE(0)
    if (kind === record.strings) {
      const rest = globals.slice(at + 1)
      const end = rest.findIndex((piece) => piece.kind !== record.continued)
      strings = readStrings([data, ...rest.slice(0, end === -1 ? rest.length : end).map((piece) => piece.data)])
    }
  }
  if (start === undefined) throw new SheetRefusal('damaged')

  const rows = new Map<number, (string | null)[]>()
  const put = (row: number, column: number, value: string) => {
    if (column >= limits.columns || value === '') return
    const cells = rows.get(row) ?? []
    while (cells.length <= column) cells.push(null)
    cells[column] = value
    rows.set(row, cells)
    if (rows.size > limits.rows) throw new SheetRefusal('tooManyRows')
  }
  let formula: { row: number; column: number } | undefined
  for (const { kind, data } of untilEnd(pieces(stream, start))) {
    if (kind === record.formulaText && formula) put(formula.row, formula.column, textIn(data))
    formula = kind === record.formulaText ? undefined : formula
    if (data.length < 6) continue
    const row = data.readUInt16LE(0)
    const column = data.readUInt16LE(2)
    if (kind === record.sharedString) put(row, column, strings[data.readUInt32LE(6)] ?? '')
    else if (kind === record.text) put(row, column, textIn(data.subarray(6)))
    else if (kind === record.number) put(row, column, String(data.readDoubleLE(6)))
    else if (kind === record.smallNumber) put(row, column, String(small(data.readInt32LE(6))))
    else if (kind === record.boolean && data[7] === 0) put(row, column, data[6] ? 'TRUE' : 'FALSE')
    else if (kind === record.formula) {
      // A text it came to follows in a piece of its own.
      if (data.readUInt16LE(12) === 0xffff) formula = { row, column }
      else put(row, column, String(data.readDoubleLE(6)))
    } else if (kind === record.severalNumbers)
      for (let at = 4; at + 6 <= data.length - 2; at += 6)
        put(row, column + (at - 4) / 6, String(small(data.readInt32LE(at + 2))))
  }
  return [...rows].sort(([a], [b]) => a - b).map(([row, cells]) => ({ number: row + 1, cells }))
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
