import { defineRoom } from '../../room.ts'
import { identity } from '../identity/index.ts'
import { mountAnnouncements } from './announcement.ts'
import { keepHeads } from './audit-heads.ts'
import { mountConfig } from './config.routes.ts'
import { mountDictionary } from './dictionary.ts'
import { mountHealth } from './health.routes.ts'
import { mountLogo } from './logo.routes.ts'
import { mountOperationLog } from './operation-log.ts'

export { areAgreementsWritten } from './config.store.ts'
export { addShippedCodes, findEnabledCodes, loadCodeTables } from './dictionary.ts'
export { countSignIns, operationsAbout } from './operation-log.store.ts'
export { auditSentence, verifyAudit } from './verify-audit.ts'

/** The installation itself: its settings, its code tables, its log, its health. */
export const system = defineRoom({
  word: 'system',
  after: [identity],
  tables: ['dictionary_item', 'announcement'],
  shows: [
    'op_log',
    'op_log_head',
    'op_log_pending',
    'op_log_strand',
    'op_log_tally',
    'job',
    'system_config',
    'schema_migration',
  ],
  offers: ['devicesServedBy'],
  mount: (services) => {
    mountConfig(services)
    mountLogo(services)
    mountDictionary(services)
    mountAnnouncements(services)
    mountOperationLog(services)
    keepHeads(services)
    return mountHealth(services)
  },
})
