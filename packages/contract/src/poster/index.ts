export * from './poster.commands.ts'
export * from './poster.errors.ts'
export * from './promotion.release.ts'
export * from './promotion.resource.ts'
