import { activate, agentProgram, codeLabels, createCodes, importCodes } from '@campanile/contract'
import { byDefault, mount } from '../../kit/mount.ts'
import { newSheet } from '../../kit/uploaded-sheet.ts'
import type { Services } from '../../services.ts'
import { createActivation } from './activation.service.ts'
import { activationCodes } from './activation.store.ts'
import { sendAgent } from './agent-program.ts'

export const mountActivation = (services: Services) => {
  const { kit } = services
  const activation = createActivation(services)
  mount(kit, activationCodes, { list: byDefault, remove: byDefault, export: byDefault })
  kit.guarded(createCodes, 'activationCode', activation.makeOfLines)
  kit.takesFile(importCodes, 'activationCode', { read: newSheet, run: activation.makeOfSheet })
  kit.guarded(codeLabels, 'activationCode', activation.labels)
  kit.open(agentProgram, 'activationCode', sendAgent)
  kit.open(activate, 'activationCode', activation.use, 'apart')
}
