import { maxText, type SheetLimits, SheetRefusal, type SheetRow, sheetLimits } from './parse.ts'

const encodings = ['utf-8', 'gb18030'] as const

/** Text as programs save it: UTF-8, with or without its mark, UTF-16 with it, else the Chinese code page. */
export const decodeText = (file: Buffer): string => {
  const wide = file[0] === 0xff && file[1] === 0xfe
  for (const encoding of wide ? (['utf-16le'] as const) : encodings)
    try {
      const text = new TextDecoder(encoding, { fatal: true }).decode(file)
      // No table holds these; a picture or a program does.
      if (!/[^\P{Cc}\t\n\v\f\r]/u.test(text) && !/^\s*</.test(text)) return text
    } catch {
      // Perhaps the next one.
    }
  throw new SheetRefusal('notAWorkbook')
}

/** Whatever stands most often in the first line, outside of quotation marks. */
const separatorOf = (text: string): string => {
  const first = (/^[^\r\n]*/.exec(text.trimStart())?.[0] ?? '').replace(/"[^"]*"?/g, '')
  const count = (separator: string) => first.split(separator).length
  return [',', ';', '\t'].reduce((best, each) => (count(each) > count(best) ? each : best))
}

/** The rows of a table saved as text, numbered as a spreadsheet program shows them. */
export const parseCsv = (file: Buffer, { rows: maxRows, columns }: SheetLimits = sheetLimits): SheetRow[] => {
  const text = decodeText(file)
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
