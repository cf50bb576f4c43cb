import { AppError, spreadsheetErrors } from '@campanile/contract'
import type { CellFault } from '../../platform/sheet/cell.ts'
import { type Decoded, decodeText, rowsOfText } from '../../platform/sheet/csv.ts'
import { type Reason, SheetRefusal, type SheetRow, sheetLimits } from '../../platform/sheet/parse.ts'
import { readSheet } from '../../platform/sheet/read.ts'
import { isOldWorkbook } from '../../platform/sheet/xls.ts'
import type { Language } from '../call.ts'

/** As many as anything else takes at once (behaviour: api.many). */
const maxRows = sheetLimits.rows - 1

const refusals: Record<Reason, AppError> = {
  notAWorkbook: new AppError(spreadsheetErrors.fileTypeWrong),
  unsafe: new AppError(spreadsheetErrors.fileTypeWrong),
  damaged: new AppError(spreadsheetErrors.fileUnreadable),
  tooLarge: new AppError(spreadsheetErrors.fileUnreadable),
  tooManyRows: new AppError(spreadsheetErrors.tooManyRows, { limit: maxRows }),
}
const refused = (error: unknown) => (error instanceof SheetRefusal ? refusals[error.reason] : error)

/** Whatever else is text is read as text. */
const isWorkbook = (file: Buffer) => file.subarray(0, 4).toString('latin1') === 'PK\u0003\u0004' || isOldWorkbook(file)

/** What was read, and of a text how. */
export interface ReadSheet {
  readonly rows: SheetRow[]
  readonly read?: Pick<Decoded, 'encoding' | 'unsure'>
}

const readAny = async (file: Buffer, language: Language): Promise<ReadSheet> => {
  try {
    if (isWorkbook(file)) return await readSheet(file)
    const { text, ...read } = decodeText(file, language)
    return { rows: rowsOfText(text), read }
  } catch (error) {
    throw refused(error)
  }
}

/** The rows of a spreadsheet somebody sent, or why it is none: .xlsx, an old workbook (.xls) or a table saved as text (.csv). */
export const anySheet = async (file: Buffer, language: Language): Promise<SheetRow[]> =>
  (await readAny(file, language)).rows

/** The same where an old workbook is refused, and with how it was read. */
export const readNewSheet = async (file: Buffer, language: Language): Promise<ReadSheet> => {
  if (isOldWorkbook(file)) throw refusals.notAWorkbook
  return readAny(file, language)
}
export const newSheet = async (file: Buffer, language: Language): Promise<SheetRow[]> =>
  (await readNewSheet(file, language)).rows

const cellFaults: Record<CellFault, (value: string) => AppError> = {
  failed: (value) => new AppError(spreadsheetErrors.cellFailed, { value }),
  rounded: (value) => new AppError(spreadsheetErrors.numberRounded, { value }),
}
/** Why a cell cannot be taken whatever its column is. */
export const cellRefusal = (
  { cells, faults }: Pick<SheetRow, 'cells' | 'faults'>,
  column: number,
): AppError | undefined => {
  const fault = faults?.[column]
  return fault && cellFaults[fault]((cells[column] ?? '').slice(0, 64))
}

/** The rows of a spreadsheet, or of a text below a heading, or words of a text file: one a row, numbered by its line. */
export const wordsBetween =
  (separator: RegExp, isHeading: (row: SheetRow) => boolean) =>
  async (file: Buffer, language: Language): Promise<SheetRow[]> => {
    if (isWorkbook(file)) return anySheet(file, language)
    try {
      const { text } = decodeText(file, language)
      const first = /^[\s"]*([^",;\t\r\n]*)/.exec(text)?.[1] ?? ''
      if (isHeading({ number: 1, cells: [first] })) return rowsOfText(text)
      const lines = text.split(/\r\n|\r|\n/)
      const rows = lines.flatMap((line, at) =>
        line
          .split(separator)
          .filter(Boolean)
          .map((word) => ({ number: at + 1, cells: [word] })),
      )
      if (rows.length > maxRows) throw refusals.tooManyRows
      return rows
    } catch (error) {
      throw refused(error)
    }
  }
