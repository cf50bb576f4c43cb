import { defineRoom } from '../../room.ts'
import { device as deviceRoom } from '../device/index.ts'
import { mountAnnouncements } from './announcement.ts'
import { keepHeads } from './audit-heads.ts'
import { mountConfig } from './config.routes.ts'
import { mountDictionary } from './dictionary.ts'
import { mountHealth } from './health.routes.ts'
import { mountLogo } from './logo.routes.ts'
import { mountOperationLog } from './operation-log.ts'

export { loadCodeTables } from './dictionary.ts'
export { auditSentence, verifyAudit } from './verify-audit.ts'

/** The installation itself: its settings, its words, its log, its health. */
export const system = defineRoom({
  word: 'system',
  after: [deviceRoom],
  tables: ['system_config', 'dictionary_item', 'announcement'],
  mount: (services, { device }) => {
    mountHealth({ ...services, devices: device })
    mountConfig(services)
    mountLogo(services)
    mountDictionary(services)
    mountAnnouncements(services)
    mountOperationLog(services)
    keepHeads(services)
  },
})
