export * from './export-file.resource.ts'
export * from './file.errors.ts'
export * from './file.needs.ts'
