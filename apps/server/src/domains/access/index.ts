import { defineRoom } from '../../room.ts'
import { command } from '../command/index.ts'
import { device } from '../device/index.ts'
import { mountAccess } from './access.routes.ts'

/** Doors: what happens to them, and opening and closing them from afar. */
export const access = defineRoom({
  word: 'access',
  after: [device, command],
  tables: ['door_record'],
  mount: mountAccess,
})
