import { maxText, type SheetLimits, SheetRefusal, type SheetRow, sheetLimits } from './parse.ts'

/** The two Chinese code pages, by the language of whoever sends a text. */
const codePages = { 'zh-tw': ['big5', 'gb18030'], other: ['gb18030', 'big5'] } as const

export interface Decoded {
  readonly text: string
  readonly encoding: 'utf-8' | 'utf-16le' | 'utf-16be' | 'gb18030' | 'big5'
  /** Another code page would have given a text as well, and little speaks for this one. */
  readonly unsure: boolean
}

/** Letter by letter: a pattern takes seconds for what a whole file holds. */
const holdsControl = (text: string): boolean => {
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code < 9 || (code > 13 && code < 32) || (code > 126 && code < 160)) return true
  }
  return false
}

const decodeAs = (file: Buffer, encoding: Decoded['encoding']): string | undefined => {
  try {
    const text = new TextDecoder(encoding, { fatal: true }).decode(file)
    // No table holds these; a picture or a program does.
    return holdsControl(text) || /^\s*</.test(text) ? undefined : text
  } catch {
    return undefined
  }
}

/** UTF-16 says so with its mark; without one every other byte of Latin letters and digits is empty. */
const wideOf = (file: Buffer): 'utf-16le' | 'utf-16be' | undefined => {
  if (file[0] === 0xff && file[1] === 0xfe) return 'utf-16le'
  if (file[0] === 0xfe && file[1] === 0xff) return 'utf-16be'
  if (file.length < 4 || file.length % 2 === 1) return undefined
  const start = file.subarray(0, 1_000)
  const empty = (from: number) => start.filter((byte, at) => at % 2 === from && byte === 0).length / (start.length / 2)
  if (empty(1) > 0.4 && empty(0) === 0) return 'utf-16le'
  return empty(0) > 0.4 && empty(1) === 0 ? 'utf-16be' : undefined
}

/** Of the characters of two bytes, how many there are and how many end with a byte that is ASCII. */
const pairsOf = (file: Buffer) => {
  let all = 0
  let low = 0
  for (let at = 0; at < file.length; at++) {
    if ((file[at] ?? 0) < 0x81) continue
    at += 1
    all += 1
    if ((file[at] ?? 0) < 0x80) low += 1
  }
  return { all, low }
}
/** So many tell Big5 by what they hold, and so many GB by what they hold not: fewer tell nothing. */
const telling = { big5: 6, gb: 16 }

/**
 * What is Big5 is nearly always GB18030 too, and reads as nonsense. What tells them apart: of common characters a third
 * ends with an ASCII byte in Big5 and none in GB. Where there are too few to tell, the reader's language decides.
 */
const chinese = (file: Buffer, language: string): Decoded | undefined => {
  const { all, low } = pairsOf(file)
  const isBig5 = all >= telling.big5 && low / all > 0.15
  const told = isBig5 ? 'big5' : all >= telling.gb && low === 0 ? 'gb18030' : undefined
  const byLanguage = language.toLowerCase() === 'zh-tw' ? codePages['zh-tw'] : codePages.other
  const order: readonly ('gb18030' | 'big5')[] = told
    ? [told, ...byLanguage.filter((each) => each !== told)]
    : byLanguage
  const read = order.flatMap((encoding) => {
    const text = decodeAs(file, encoding)
    return text === undefined ? [] : [{ text, encoding }]
  })
  return read[0] && { ...read[0], unsure: read.length > 1 && told === undefined }
}

/** Text as programs save it: UTF-8 and UTF-16, with or without their mark, else one of the two Chinese code pages. */
export const decodeText = (file: Buffer, language = 'en'): Decoded => {
  const wide = wideOf(file)
  for (const encoding of wide ? [wide] : (['utf-8'] as const)) {
    const text = decodeAs(file, encoding)
    if (text !== undefined) return { text, encoding, unsure: false }
  }
  const decoded = wide ? undefined : chinese(file, language)
  if (!decoded) throw new SheetRefusal('notAWorkbook')
  return decoded
}

/** Whatever stands most often in the first line, outside of quotation marks. */
const separatorOf = (text: string): string => {
  const first = (/^[^\r\n]*/.exec(text.slice(0, maxText).trimStart())?.[0] ?? '').replace(/"[^"]*"?/g, '')
  const count = (separator: string) => first.split(separator).length
  return [',', ';', '\t'].reduce((best, each) => (count(each) > count(best) ? each : best))
}

/** Empty lines between rows are passed over, though not without end. */
const emptyLines = 50_000

/** Where a value in quotation marks ends, which are doubled within; undefined where nothing closes it. */
const closingMark = (text: string, at: number): number | undefined => {
  for (let from = at + 1; ; ) {
    const mark = text.indexOf('"', from)
    if (mark < 0) return undefined
    if (mark - at > 2 * maxText) throw new SheetRefusal('tooLarge')
    if (text[mark + 1] !== '"') return mark
    from = mark + 2
  }
}

/**
 * The rows of a table saved as text, numbered as a spreadsheet program shows them. It is left as soon as it is too much:
 * everybody waits while a file is read.
 */
export const rowsOfText = (text: string, { rows: maxRows, columns }: SheetLimits = sheetLimits): SheetRow[] => {
  const separator = separatorOf(text)
  const rows: SheetRow[] = []
  let number = 0
  let cells: (string | null)[] = []
  const endRow = () => {
    number += 1
    if (number > maxRows + emptyLines) throw new SheetRefusal('tooManyRows')
    if (cells.some((cell) => cell !== null)) {
      if (rows.length >= maxRows) throw new SheetRefusal('tooManyRows')
      rows.push({ number, cells })
    }
    cells = []
  }
  const ends = new RegExp(`${separator}|\\r\\n|\\r|\\n|$`, 'g')
  for (let at = 0; at < text.length; ) {
    const closing = text[at] === '"' ? closingMark(text, at) : undefined
    ends.lastIndex = closing ?? at
    const end = ends.exec(text)
    const cell = closing === undefined ? text.slice(at, end?.index) : text.slice(at + 1, closing).replaceAll('""', '"')
    if (cell.length > maxText || cells.length >= columns) throw new SheetRefusal('tooLarge')
    cells.push(cell.trim() === '' ? null : cell)
    if (end?.[0] !== separator) endRow()
    at = (end?.index ?? text.length) + (end?.[0].length ?? 0)
  }
  if (cells.length > 0) endRow()
  return rows
}
