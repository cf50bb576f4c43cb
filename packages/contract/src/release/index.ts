export * from './release.errors.ts'
