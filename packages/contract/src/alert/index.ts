export * from './alert.errors.ts'
