import type { Services } from '../../services.ts'
import { mountAnnouncements } from './announcement.ts'
import { keepHeads } from './audit-heads.ts'
import { mountConfig } from './config.routes.ts'
import { mountDictionary } from './dictionary.ts'
import { mountHealth } from './health.routes.ts'
import { mountLogo } from './logo.routes.ts'
import { mountOperationLog } from './operation-log.ts'

export { loadCodeTables } from './dictionary.ts'
export { auditSentence, verifyAudit } from './verify-audit.ts'

export const mountSystem = (services: Services) => {
  mountHealth(services)
  mountConfig(services)
  mountLogo(services)
  mountDictionary(services)
  mountAnnouncements(services)
  mountOperationLog(services)
  keepHeads(services)
}
