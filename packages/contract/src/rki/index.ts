export * from './rki.errors.ts'
