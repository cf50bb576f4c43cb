export * from './custom-resource.resource.ts'
export * from './resource.commands.ts'
export * from './resource.endpoints.ts'
export * from './resource.errors.ts'
