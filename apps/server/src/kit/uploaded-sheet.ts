import { AppError, spreadsheetErrors } from '@campanile/contract'
import type { FastifyRequest } from 'fastify'
import { type Reason, SheetRefusal, type SheetRow, sheetLimits } from '../platform/sheet/parse.ts'
import { readSheet } from '../platform/sheet/read.ts'
import { isOldWorkbook } from '../platform/sheet/xls.ts'
import { uploadedFile } from './upload.ts'

/** §9: as many as anything else takes at once. */
const maxRows = sheetLimits.rows - 1
const maxBytes = 10 * 1024 ** 2

const refusals: Record<Reason, AppError> = {
  notAWorkbook: new AppError(spreadsheetErrors.fileTypeWrong),
  unsafe: new AppError(spreadsheetErrors.fileTypeWrong),
  damaged: new AppError(spreadsheetErrors.fileUnreadable),
  tooLarge: new AppError(spreadsheetErrors.fileUnreadable),
  tooManyRows: new AppError(spreadsheetErrors.tooManyRows, { limit: maxRows }),
}

const sheetOf = async (file: Buffer): Promise<SheetRow[]> => {
  const { rows } = await readSheet(file).catch((error) => {
    throw error instanceof SheetRefusal ? refusals[error.reason] : error
  })
  return rows
}

/** The rows of the spreadsheet somebody sent, or why it is none. §5: an old workbook (.xls) only where it is said. */
export const uploadedSheet = async (request: FastifyRequest, { old = false } = {}): Promise<SheetRow[]> => {
  const file = await uploadedFile(request, maxBytes)
  if (!old && isOldWorkbook(file)) throw refusals.notAWorkbook
  return sheetOf(file)
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

/** The same, or words of a text file: one a row, numbered by its line. */
export const uploadedWords = async (request: FastifyRequest, separator: RegExp): Promise<SheetRow[]> => {
  const file = await uploadedFile(request, maxBytes)
  if (isWorkbook(file)) return sheetOf(file)
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
