export * from './release.errors.ts'
export * from './update-args.ts'
export * from './update-faults.ts'
