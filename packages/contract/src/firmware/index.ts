export * from './firmware.commands.ts'
export * from './firmware-name.ts'
