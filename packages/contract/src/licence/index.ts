export * from './licence.errors.ts'
export * from './licence.needs.ts'
export * from './licence.resource.ts'
