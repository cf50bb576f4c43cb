export * from './home.endpoints.ts'
