export { mountOrganisation } from './organisation.routes.ts'
export { findRoot, plant } from './planting.ts'
