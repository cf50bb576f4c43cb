export * from './person.errors.ts'
