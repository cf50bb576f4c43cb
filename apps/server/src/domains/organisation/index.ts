import { defineRoom } from '../../room.ts'
import { identity } from '../identity/index.ts'
import { mountOrganisation } from './organisation.routes.ts'

export { findRoot, plant } from './planting.ts'

/** The tree everything stands in. */
export const organisation = defineRoom({
  word: 'organisation',
  after: [identity],
  tables: ['department', 'department_below'],
  mount: mountOrganisation,
})
