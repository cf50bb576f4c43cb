import type { Services } from '../../services.ts'
import { mountAnnouncements } from './announcement.ts'
import { mountDictionary } from './dictionary.ts'

export { loadCodeTables } from './dictionary.ts'

export const mountSystem = (services: Services) => {
  mountDictionary(services)
  mountAnnouncements(services)
}
