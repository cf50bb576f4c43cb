export * from './access/door.events.ts'
