import { defineRoom } from '../../room.ts'
import { device } from '../device/index.ts'
import { mountLicences } from './licence.routes.ts'

/** Which devices may use what, and until when. */
export const licence = defineRoom({ word: 'licence', after: [device], tables: ['licence'], mount: mountLicences })
