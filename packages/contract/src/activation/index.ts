export * from './activation.errors.ts'
export * from './activation-code.resource.ts'
