import { defineNeeds } from '../kit/index.ts'
import { healthLicence, imLicence, iotLicence } from './licence.resource.ts'

/** Licences that are about to end, or have ended while their devices are in use. */
export const licenceNeeds = defineNeeds('iotLicence', {
  iotExpired: { rows: iotLicence, at: '/device/license/iot', level: 'major' },
  iotExpiring: { rows: iotLicence, at: '/device/license/iot', level: 'minor' },
  imExpiring: { rows: imLicence, at: '/device/license/im', level: 'minor' },
  healthExpiring: { rows: healthLicence, at: '/device/license/health', level: 'minor' },
})
