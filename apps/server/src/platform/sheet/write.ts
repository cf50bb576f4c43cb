import { Readable } from 'node:stream'
import { type ZipPart, zip } from './zip.ts'

/** A moment as the spreadsheet shows it: days since 1899-12-30, with a format of its own. */
export interface Moment {
  readonly serial: number
  readonly shows: 'date' | 'dateTime'
}
export type Cell = string | number | boolean | null | Moment

export interface Sheet {
  readonly name: string
  readonly columns: readonly { readonly header: string; readonly width?: number }[]
  /** Rows in batches, pulled as fast as the file is written. */
  readonly batches: AsyncIterable<readonly (readonly Cell[])[]> | Iterable<readonly (readonly Cell[])[]>
}

// What a spreadsheet holds at most; the first row is the header.
const maxRows = 1_048_575
const maxText = 32_767
const maxSheetBytes = 3 * 1024 ** 3

const style = { plain: 0, header: 1, date: 2, dateTime: 3, quoted: 4 } as const

/** Streams a workbook. However many rows there are, it holds one batch of them. */
export const writeWorkbook = (sheets: readonly Sheet[], limits = { maxRows, maxSheetBytes }): Readable =>
  Readable.from(zip(workbook(sheets, limits)), { objectMode: false })

async function* workbook(sheets: readonly Sheet[], limits: { maxRows: number; maxSheetBytes: number }) {
  const names: string[] = []
  for (const sheet of sheets) {
    const batches = iterate(sheet.batches)
    let number = 0
    for (let rest: Rest | undefined = { rows: [] }; rest; ) {
      const page: { rest: Rest | undefined } = { rest: undefined }
      number += 1
      names.push(sheetName(number === 1 ? sheet.name : `${sheet.name} (${number})`, names))
      yield {
        name: `xl/worksheets/sheet${names.length}.xml`,
        content: sheetXml(sheet, rest, batches, page, limits),
      } satisfies ZipPart
      rest = page.rest
    }
  }
  // The archive's index makes the order free, and only now is it known how many sheets there are.
  for (const [name, text] of Object.entries(frame(names))) yield { name, content: [Buffer.from(text)] }
}

interface Rest {
  rows: readonly (readonly Cell[])[]
}

const iterate = (batches: Sheet['batches']): AsyncIterator<readonly (readonly Cell[])[]> =>
  (async function* () {
    yield* batches
  })()

async function* sheetXml(
  sheet: Sheet,
  rest: Rest,
  batches: AsyncIterator<readonly (readonly Cell[])[]>,
  page: { rest: Rest | undefined },
  limits: { maxRows: number; maxSheetBytes: number },
): AsyncGenerator<Buffer> {
  yield Buffer.from(opening(sheet))
  let written = 0
  let bytes = 0
  let batch: Rest['rows'] = rest.rows
  for (;;) {
    const room = Math.max(0, bytes > limits.maxSheetBytes ? 0 : limits.maxRows - written)
    if (batch.length > room) {
      page.rest = { rows: batch.slice(room) }
      batch = batch.slice(0, room)
    }
    const first = written + 2
    const chunk = Buffer.from(batch.map((cells, index) => rowXml(cells, first + index, style.plain)).join(''))
    written += batch.length
    bytes += chunk.length
    if (chunk.length > 0) yield chunk
    if (page.rest) break
    const next = await batches.next()
    if (next.done) break
    batch = next.value
  }
  yield Buffer.from('</sheetData></worksheet>')
}

const xml = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'

const opening = ({ columns }: Sheet) => {
  const widths = columns.map(
    ({ width = 18 }, index) => `<col min="${index + 1}" max="${index + 1}" width="${width}" customWidth="1"/>`,
  )
  const headers = columns.map((column) => column.header)
  return `${xml}<worksheet xmlns="${main}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>${widths.length > 0 ? `<cols>${widths.join('')}</cols>` : ''}<sheetData>${rowXml(headers, 1, style.header)}`
}

const rowXml = (cells: readonly Cell[], number: number, base: number) => {
  let text = `<row r="${number}">`
  for (let index = 0; index < cells.length; index += 1) {
    const cell = cells[index]
    if (cell !== null && cell !== undefined && cell !== '') text += cellXml(cell, columnName(index) + number, base)
  }
  return `${text}</row>`
}

/** Text is always written as text: what begins like a formula stays what somebody typed. */
const cellXml = (cell: Exclude<Cell, null>, at: string, base: number): string => {
  if (typeof cell === 'number' && Number.isFinite(cell)) return `<c r="${at}"><v>${cell}</v></c>`
  if (typeof cell === 'boolean') return `<c r="${at}" t="b"><v>${cell ? 1 : 0}</v></c>`
  if (typeof cell === 'object') return `<c r="${at}" s="${style[cell.shows]}"><v>${cell.serial}</v></c>`
  const whole = String(cell)
  // What a cell cannot hold ends with a mark that says so.
  const text = whole.length > maxText ? `${whole.slice(0, maxText - 1)}…` : whole
  // The mark keeps it text when somebody edits the cell.
  const look = base || (/^[=+\-@\t\r＝＋－＠]/.test(text) ? style.quoted : style.plain)
  return `<c r="${at}"${look ? ` s="${look}"` : ''} t="inlineStr"><is><t xml:space="preserve">${escaped(text)}</t></is></c>`
}

const special: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
// biome-ignore lint/suspicious/noControlCharactersInRegex: XML cannot hold them
const awkward = /[&<>"\u0000-\u0008\u000b-\u001f\ufffe\uffff]|_x[0-9a-f]{4}_|\p{Surrogate}/giu

/** Characters XML has no way to say are written the spreadsheet's way, `_x000D_`. */
const escaped = (text: string) =>
  text.replace(awkward, (found) => {
    if (found.length > 1) return `_x005F${found}`
    return special[found] ?? `_x${found.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`
  })

const columnNames: string[] = []
const columnName = (index: number): string => {
  const known = columnNames[index]
  if (known) return known
  const name = (index >= 26 ? columnName(Math.floor(index / 26) - 1) : '') + String.fromCharCode(65 + (index % 26))
  columnNames[index] = name
  return name
}

/** At most 31 characters, none of them special, no two alike. */
const sheetName = (wanted: string, taken: readonly string[]) => {
  const clean = wanted.replace(/[\\/?*[\]:']/g, ' ').trim() || 'Sheet'
  const free = (name: string) => !taken.some((other) => other.toLowerCase() === name.toLowerCase())
  const candidates = [clean.slice(-31), ...Array.from({ length: 1000 }, (_, n) => `${clean.slice(0, 25)} ${n + 2}`)]
  return candidates.find(free) ?? clean
}

const type = 'application/vnd.openxmlformats-officedocument.spreadsheetml'
const relation = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const packaged = 'http://schemas.openxmlformats.org/package/2006'

const frame = (names: readonly string[]): Record<string, string> => ({
  'xl/styles.xml': `${xml}<styleSheet xmlns="${main}"><numFmts count="2"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd"/><numFmt numFmtId="165" formatCode="yyyy\\-mm\\-dd\\ hh:mm:ss"/></numFmts><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="5"><xf xfId="0"/><xf xfId="0" fontId="1" applyFont="1"/><xf xfId="0" numFmtId="164" applyNumberFormat="1"/><xf xfId="0" numFmtId="165" applyNumberFormat="1"/><xf xfId="0" numFmtId="49" quotePrefix="1"/></cellXfs><cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>`,
  'xl/workbook.xml': `${xml}<workbook xmlns="${main}" xmlns:r="${relation}"><sheets>${names
    .map((name, index) => `<sheet name="${escaped(name)}" sheetId="${index + 1}" r:id="rId${index + 1}"/>`)
    .join('')}</sheets></workbook>`,
  'xl/_rels/workbook.xml.rels': `${xml}<Relationships xmlns="${packaged}/relationships">${names
    .map(
      (_, index) =>
        `<Relationship Id="rId${index + 1}" Type="${relation}/worksheet" Target="worksheets/sheet${index + 1}.xml"/>`,
    )
    .join('')}<Relationship Id="styles" Type="${relation}/styles" Target="styles.xml"/></Relationships>`,
  '_rels/.rels': `${xml}<Relationships xmlns="${packaged}/relationships"><Relationship Id="rId1" Type="${relation}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
  '[Content_Types].xml': `${xml}<Types xmlns="${packaged}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${type}.sheet.main+xml"/><Override PartName="/xl/styles.xml" ContentType="${type}.styles+xml"/>${names
    .map(
      (_, index) => `<Override PartName="/xl/worksheets/sheet${index + 1}.xml" ContentType="${type}.worksheet+xml"/>`,
    )
    .join('')}</Types>`,
})
