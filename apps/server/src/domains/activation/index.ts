import {
  activate,
  agentProgram,
  codeLabels,
  createCodes,
  importCodes,
  releaseKey,
  secretMask,
} from '@campanile/contract'
import { byDefault, mount } from '../../kit/mount.ts'
import { listRows } from '../../kit/rows.ts'
import { shownOf, touchRows } from '../../kit/touched.ts'
import { newSheet } from '../../kit/upload/sheet.ts'
import { createReleaseKey } from '../../platform/release-key.ts'
import { createSeal } from '../../platform/seal.ts'
import { defineRoom, hears } from '../../room.ts'
import { createForeignSerials, device as deviceRoom, deviceTransferred } from '../device/index.ts'
import { createActivate } from './activate.service.ts'
import { createActivation } from './activation.service.ts'
import { bindCodes, sealStoredCodes } from './activation.store.ts'
import { sendAgent } from './agent-program.ts'
import { askForActivation } from './arrivals.ts'
import { createCodeSeal } from './code-seal.ts'
import { codesOfDevices } from './device-extension.ts'
import { createGuessLock } from './guess-lock.ts'

/** Codes with which devices join. */
export const activation = defineRoom({
  word: 'activation',
  after: [deviceRoom],
  tables: ['activation_code'],
  follows: [hears(deviceTransferred, askForActivation)],
  mount: (services, { device }) => {
    const { kit, app, db } = services
    const codes = createCodeSeal(createSeal(services.secrets.sealKey))
    const lock = createGuessLock(services)
    const { publicKey } = createReleaseKey(services.secrets.signingKey)
    const codesMade = createActivation({ ...services, codes, lock, foreign: createForeignSerials(services) })
    app.addHook('onReady', async () => {
      await sealStoredCodes(db, codes)
    })
    const table = bindCodes(codes)
    mount(kit, table, {
      // Whoever is shown codes could use them.
      list: async (call) => {
        const page = await listRows(call.db, table, call.scope, call.input)
        if (page.rows.some(({ activationCode }) => activationCode !== secretMask)) {
          call.note({ type: 'read', written: true })
          await touchRows(
            call,
            table,
            page.rows.map(({ id }) => id),
            shownOf(page.rows.length),
          )
        }
        return page
      },
      remove: byDefault,
      export: byDefault,
    })
    device.extend('activation', codesOfDevices)
    kit.guarded(createCodes, 'activationCode', codesMade.makeOfLines)
    kit.takesFile(importCodes, 'activationCode', { read: newSheet, run: codesMade.makeOfSheet })
    kit.guarded(codeLabels, 'activationCode', codesMade.labels)
    kit.open(agentProgram, 'activationCode', sendAgent)
    kit.open(releaseKey, 'activationCode', async () => ({ releaseKey: publicKey }))
    kit.open(
      activate,
      'activationCode',
      createActivate({ ...services, devices: device, codes, lock, releaseKey: publicKey }),
      'noTransaction',
    )
  },
})
