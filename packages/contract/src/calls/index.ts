export * from './calls.errors.ts'
