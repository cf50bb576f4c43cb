export * from './firmware-name.ts'
