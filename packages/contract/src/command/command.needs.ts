import { defineNeeds } from '../kit/index.ts'
import { taskDevice } from './task.resource.ts'

/** A task that has ended and did not succeed everywhere. */
export const commandNeeds = defineNeeds('deviceTask', {
  failed: {
    rows: taskDevice,
    at: '/deviceTask/detail/:taskId',
    level: 'major',
    action: { word: 'open', at: '/deviceTask/detail/:taskId', perm: taskDevice.perms.list },
  },
})
