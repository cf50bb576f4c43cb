import { AppError, spreadsheetErrors } from '@campanile/contract'
import { type Reason, SheetRefusal, type SheetRow, sheetLimits } from '../../platform/sheet/parse.ts'
import { readSheet } from '../../platform/sheet/read.ts'
import { isOldWorkbook } from '../../platform/sheet/xls.ts'

/** As many as anything else takes at once (behaviour: api.many). */
const maxRows = sheetLimits.rows - 1

const refusals: Record<Reason, AppError> = {
  notAWorkbook: new AppError(spreadsheetErrors.fileTypeWrong),
  unsafe: new AppError(spreadsheetErrors.fileTypeWrong),
  damaged: new AppError(spreadsheetErrors.fileUnreadable),
  tooLarge: new AppError(spreadsheetErrors.fileUnreadable),
  tooManyRows: new AppError(spreadsheetErrors.tooManyRows, { limit: maxRows }),
}

/** The rows of a spreadsheet somebody sent, or why it is none. An old workbook (.xls) is one as well. */
export const anySheet = async (file: Buffer): Promise<SheetRow[]> => {
  const { rows } = await readSheet(file).catch((error) => {
    throw error instanceof SheetRefusal ? refusals[error.reason] : error
  })
  return rows
}

/** The same where an old workbook is refused. */
export const newSheet = async (file: Buffer): Promise<SheetRow[]> => {
  if (isOldWorkbook(file)) throw refusals.notAWorkbook
  return anySheet(file)
}

/** Whatever else is text is read as text. */
const isWorkbook = (file: Buffer) => file.subarray(0, 4).toString('latin1') === 'PK\u0003\u0004' || isOldWorkbook(file)

const textOf = (file: Buffer): string => {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(file)
  } catch {
    throw refusals.notAWorkbook
  }
}

/** The rows of a spreadsheet, or words of a text file: one a row, numbered by its line. */
export const wordsBetween =
  (separator: RegExp) =>
  async (file: Buffer): Promise<SheetRow[]> => {
    if (isWorkbook(file)) return anySheet(file)
    const rows = textOf(file)
      .split(/\r\n|\r|\n/)
      .flatMap((line, at) =>
        line
          .split(separator)
          .filter(Boolean)
          .map((word) => ({ number: at + 1, cells: [word] })),
      )
    if (rows.length > maxRows) throw refusals.tooManyRows
    return rows
  }
