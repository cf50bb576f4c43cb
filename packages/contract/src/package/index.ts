export * from './package.commands.ts'
export * from './package.errors.ts'
