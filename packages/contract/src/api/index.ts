export * from './common.errors.ts'
export * from './ranges.ts'
export * from './spreadsheet.errors.ts'
