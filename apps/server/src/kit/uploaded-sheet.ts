import { AppError, spreadsheetErrors } from '@campanile/contract'
import type { FastifyRequest } from 'fastify'
import { type Reason, SheetRefusal, type SheetRow, sheetLimits } from '../platform/sheet/parse.ts'
import { readSheet } from '../platform/sheet/read.ts'
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

/** The rows of the spreadsheet somebody sent, or why it is none. */
export const uploadedSheet = async (request: FastifyRequest): Promise<SheetRow[]> => {
  const file = await uploadedFile(request, maxBytes)
  const { rows } = await readSheet(file).catch((error) => {
    throw error instanceof SheetRefusal ? refusals[error.reason] : error
  })
  return rows
}
