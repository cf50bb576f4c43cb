export * from './release.errors.ts'
export * from './update-faults.ts'
