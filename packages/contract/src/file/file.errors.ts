import { defineErrors } from '../kit/errors.ts'

export const fileErrors = defineErrors({
  // Uploads have no range of their own; they share the one of the packages they mostly carry (53000-53093)
  uploadNotFound: { code: 53030, status: 404 },
  sliceMissing: { code: 53031, status: 409 },
  sliceMismatch: { code: 53032, status: 400 },
  digestMismatch: { code: 53033, status: 400 },
  fileTooLarge: { code: 53034, status: 413, field: 'file', values: ['limit'] },
  tooManyFiles: { code: 53035, status: 400, field: 'file', values: ['limit'] },
  pathWrong: { code: 53036, status: 400, field: 'path' },
  diskFull: { code: 53037, status: 503 },
  quotaFull: { code: 53038, status: 409, field: 'file', values: ['limit'] },
  partWrong: { code: 53039, status: 400, field: 'part' },
  contentDiffers: { code: 53040, status: 400, field: 'file', values: ['name'] },
  pictureTooLarge: { code: 53041, status: 400, field: 'file', values: ['limit'] },
  linkRefused: { code: 53042, status: 403 },
  // Exported files (205000)
  exportGone: { code: 205000, status: 404 },
})
