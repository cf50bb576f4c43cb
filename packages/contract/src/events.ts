export * from './access/door.events.ts'
export * from './device/traffic.events.ts'
export * from './template/template.events.ts'
