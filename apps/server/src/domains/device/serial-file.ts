import { AppError, device, deviceErrors, serialMax, serialNumber, spreadsheetErrors } from '@campanile/contract'
import { createHeaderReader } from '../../kit/import/columns.ts'
import { cellRefusal } from '../../kit/upload/sheet.ts'
import type { SheetRow } from '../../platform/sheet/parse.ts'

export interface SerialRow {
  readonly row: number
  readonly sn: string
  readonly cells: readonly (string | null)[]
  /** Why what stands in one of the first columns cannot be taken, whatever it is. */
  readonly why: AppError | undefined
}

/** A first row that says so, in any language. */
export const isHeading = ({ cells: [first] }: SheetRow): boolean =>
  Boolean(first) && createHeaderReader(device)(first ?? '') === 'sn'

/** Serial numbers in the first column, below a heading or not. Of the columns that are used each cell must be sound. */
export const serialRows = (sheet: readonly SheetRow[], columns: readonly number[] = [0]): SerialRow[] => {
  const body = sheet[0] && isHeading(sheet[0]) ? sheet.slice(1) : sheet
  const rows = body.flatMap((each) => {
    const { number, cells } = each
    const sn = cells[0]?.trim() ?? ''
    const why = columns.map((column) => cellRefusal(each, column)).find(Boolean)
    return sn || cells.some((cell) => cell?.trim()) ? [{ row: number, sn, cells, why }] : []
  })
  if (rows.length === 0) throw new AppError(spreadsheetErrors.fileEmpty)
  return rows
}

/** What is wrong with a cell that should hold a serial number none of the rows before it held. */
export const serialRefusal = (
  { sn, why }: Pick<SerialRow, 'sn' | 'why'>,
  earlier: ReadonlySet<string>,
): AppError | undefined => {
  if (why) return why
  if (!sn) return new AppError(deviceErrors.snEmpty)
  if (!serialNumber.test(sn) || sn.length > serialMax) return new AppError(deviceErrors.snWrong)
  return earlier.has(sn) ? new AppError(deviceErrors.snRepeated, { sn }) : undefined
}
