export * from './geofence.errors.ts'
