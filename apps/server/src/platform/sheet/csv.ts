import { maxText, type SheetLimits, SheetRefusal, type SheetRow, sheetLimits } from './parse.ts'

/** The two Chinese code pages, by the language of whoever sends a text. */
const codePages = { 'zh-tw': ['big5', 'gb18030'], other: ['gb18030', 'big5'] } as const

export interface Decoded {
  readonly text: string
  readonly encoding: 'utf-8' | 'utf-16le' | 'utf-16be' | 'gb18030' | 'big5'
  /** Another code page would have given a text as well, and little speaks for this one. */
  readonly unsure: boolean
}

const decodeAs = (file: Buffer, encoding: Decoded['encoding']): string | undefined => {
  try {
    const text = new TextDecoder(encoding, { fatal: true }).decode(file)
    // No table holds these; a picture or a program does.
    return /[^\P{Cc}\t\n\v\f\r]/u.test(text) || /^\s*</.test(text) ? undefined : text
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
/** So few tell nothing of their code page. */
const telling = 6

/**
 * What is Big5 is nearly always GB18030 too, and reads as nonsense. What tells them apart: of common characters a third
 * ends with an ASCII byte in Big5 and none in GB. Where there are too few to tell, the reader's language decides.
 */
const chinese = (file: Buffer, language: string): Decoded | undefined => {
  const { all, low } = pairsOf(file)
  const told = all < telling ? undefined : low === 0 ? 'gb18030' : low / all > 0.15 ? 'big5' : undefined
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
  const first = (/^[^\r\n]*/.exec(text.trimStart())?.[0] ?? '').replace(/"[^"]*"?/g, '')
  const count = (separator: string) => first.split(separator).length
  return [',', ';', '\t'].reduce((best, each) => (count(each) > count(best) ? each : best))
}

/** The rows of a table saved as text, numbered as a spreadsheet program shows them. */
export const rowsOfText = (text: string, { rows: maxRows, columns }: SheetLimits = sheetLimits): SheetRow[] => {
  const separator = separatorOf(text)
  const rows: SheetRow[] = []
  let number = 0
  let cells: (string | null)[] = []
  const endRow = () => {
    number += 1
    const filled = cells.some((cell) => cell !== null)
    if (cells.length > columns) throw new SheetRefusal('tooLarge')
    if (filled && rows.length >= maxRows) throw new SheetRefusal('tooManyRows')
    if (filled) rows.push({ number, cells })
    cells = []
  }
  // A value with its end: in quotation marks, which are doubled within, or up to the next separator.
  const value = new RegExp(
    `(?:"([^"]*(?:""[^"]*)*)"|([^${separator}\\r\\n]*))[^${separator}\\r\\n]*(${separator}|\\r\\n|\\r|\\n|$)`,
    'y',
  )
  while (value.lastIndex < text.length) {
    const [, quoted, plain = '', end] = value.exec(text) ?? []
    const cell = quoted?.replaceAll('""', '"') ?? plain
    if (cell.length > maxText) throw new SheetRefusal('tooLarge')
    cells.push(cell.trim() === '' ? null : cell)
    if (end !== separator) endRow()
  }
  if (cells.length > 0) endRow()
  return rows
}
