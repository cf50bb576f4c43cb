export type { Occupant } from './occupants.ts'
export { mountOrganisation } from './organisation.routes.ts'
export { findRoot, plant } from './planting.ts'
