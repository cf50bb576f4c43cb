import { defineRoom } from '../../room.ts'
import { device } from '../device/index.ts'
import { file } from '../file/index.ts'
import { identity } from '../identity/index.ts'
import { organisation } from '../organisation/index.ts'
import { needsOfTasks } from './command.needs.ts'
import { mountCommands } from './command.routes.ts'

export type { CommandNews } from './follow.ts'
export { inWords } from './refusal.ts'
export type { CommandRules } from './rules.ts'
export { findTarget, seatsOf, type TargetInput } from './target.ts'

export type Commands = ReturnType<typeof mountCommands>

/** What devices are told to do, and what became of it. */
export const command = defineRoom({
  word: 'command',
  after: [organisation, identity, device, file],
  tables: [
    'command',
    'device_task',
    'device_setting',
    'device_setting_version',
    'device_setting_value',
    'setting_change',
    'task_number',
    'test_model',
  ],
  needs: needsOfTasks,
  offers: ['issue', 'serve', 'refusals', 'withdraw', 'follow'],
  mount: mountCommands,
})
