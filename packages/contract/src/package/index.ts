export * from './package.errors.ts'
