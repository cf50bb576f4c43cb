export * from './organisation.endpoints.ts'
export * from './organisation.errors.ts'
export * from './organisation.resource.ts'
export * from './organisation.type.ts'
