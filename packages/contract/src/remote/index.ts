export * from './remote.errors.ts'
