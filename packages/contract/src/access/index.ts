export * from './access.commands.ts'
export * from './door.events.ts'
export * from './door-record.resource.ts'
