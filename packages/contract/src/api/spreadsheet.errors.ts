import { defineErrors } from '../kit/errors.ts'

/** What any import may answer about its file and its rows. The codes are those of the device import (204001-204057). */
export const spreadsheetErrors = defineErrors({
  fileTypeWrong: { code: 204003, status: 400, field: 'file' },
  tooManyRows: { code: 204004, status: 400, field: 'file', values: ['limit'] },
  fileEmpty: { code: 204015, status: 400, field: 'file' },
  columnsWrong: { code: 204016, status: 400, field: 'file', variant: 'column' },
  fileUnreadable: { code: 204017, status: 400, field: 'file' },
  rowRepeated: { code: 204040, status: 400, values: ['row'] },
  valueUnknown: { code: 204041, status: 400, values: ['value'] },
  valueAmbiguous: { code: 204042, status: 400, values: ['value'] },
  importGone: { code: 204043, status: 404 },
  importStarted: { code: 204044, status: 409 },
  cellFailed: { code: 204045, status: 400, values: ['value'] },
  numberRounded: { code: 204046, status: 400, values: ['value'] },
  /** No fault of the file: the row is left out, and what is there stays as it is. */
  rowExists: { code: 204047, status: 409 },
})
