import { defineRoom } from '../../room.ts'
import { device as deviceRoom } from '../device/index.ts'
import { licencesOfDevices } from './device-extension.ts'
import { needsOfLicences } from './licence.needs.ts'
import { mountLicences } from './licence.routes.ts'
import { endExpired } from './licence.store.ts'

/** Which devices may use what, and until when. */
export const licence = defineRoom({
  word: 'licence',
  after: [deviceRoom],
  tables: ['licence'],
  jobs: [{ name: 'ending connections without a licence', everyMs: 60_000, run: ({ db }) => endExpired(db) }],
  needs: needsOfLicences,
  mount: (services, { device }) => {
    mountLicences(services)
    device.extend('licence', licencesOfDevices)
  },
})
