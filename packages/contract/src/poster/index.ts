export * from './poster.errors.ts'
