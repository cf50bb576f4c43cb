export * from './health.errors.ts'
