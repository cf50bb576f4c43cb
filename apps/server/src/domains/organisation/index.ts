import { defineRoom } from '../../room.ts'
import { mountOrganisation } from './organisation.routes.ts'

export { findMaintenance, type MaintenanceWindow, sourcesOf } from './maintenance.ts'
export { findModules } from './modules.ts'
export { findRoot, plantDepartment, type Seedling } from './planting.ts'

/** The tree everything stands in. */
export const organisation = defineRoom({
  word: 'organisation',
  after: [],
  tables: ['department', 'department_below'],
  offers: ['occupiedBy', 'onFounded', 'onMoved', 'administeredBy'],
  mount: mountOrganisation,
})
