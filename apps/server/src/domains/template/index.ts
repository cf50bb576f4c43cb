import { defineRoom, hears } from '../../room.ts'
import { command } from '../command/index.ts'
import { device, deviceTransferred } from '../device/index.ts'
import { release } from '../release/index.ts'
import { mountTemplates } from './template.routes.ts'
import { followDevices } from './template.store.ts'

/** How devices are to be set up, and which of them have drifted away from it. */
export const template = defineRoom({
  word: 'template',
  after: [device, command, release],
  tables: ['config_template', 'template_device'],
  follows: [
    hears(deviceTransferred, () => async (tx, events) => {
      for (const { data } of events) await followDevices(tx, data.sns)
    }),
  ],
  mount: mountTemplates,
})
