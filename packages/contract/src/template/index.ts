export * from './template.errors.ts'
