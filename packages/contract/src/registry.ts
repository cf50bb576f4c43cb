import { activationEndpoints } from './activation/activation-code.resource.ts'
import { brokerEndpoints } from './command/broker.message.ts'
import { settingEndpoints } from './command/setting.resource.ts'
import { taskEndpoints } from './command/task.order.ts'
import { uploadEndpoints } from './command/upload.endpoints.ts'
import { deviceEndpoints } from './device/device.endpoints.ts'
import { statisticsEndpoints } from './device/statistics.endpoints.ts'
import { trafficEndpoints } from './device/traffic.endpoints.ts'
import { filePartEndpoints } from './file/upload.endpoints.ts'
import { firmwareEndpoints } from './firmware/firmware.endpoints.ts'
import { homeEndpoints } from './home/home.endpoints.ts'
import { favouriteEndpoints } from './identity/favourite.endpoints.ts'
import { menuEndpoints } from './identity/menu.endpoints.ts'
import { personalEndpoints } from './identity/personal.endpoints.ts'
import { roleEndpoints } from './identity/role.endpoints.ts'
import { sessionEndpoints } from './identity/session.endpoints.ts'
import { viewEndpoints } from './identity/view.endpoints.ts'
import type { Endpoint, Resource } from './kit/index.ts'
import { licenceEndpoints } from './licence/licence.resource.ts'
import { organisationEndpoints } from './organisation/organisation.endpoints.ts'
import { packageEndpoints } from './package/package.endpoints.ts'
import { posterEndpoints } from './poster/poster.endpoints.ts'
import { releaseEndpoints } from './release/release.endpoints.ts'
import { resourceEndpoints } from './resource/resource.endpoints.ts'
import * as declared from './resources.ts'
import { searchEndpoints } from './search/search.endpoints.ts'
import { downloadEndpoints } from './system/download.endpoints.ts'
import { systemEndpoints } from './system/system.endpoints.ts'

const isResource = (value: unknown): value is Resource =>
  typeof value === 'object' && value !== null && 'wire' in value && 'fields' in value

/** Every kind of row there is: whatever `resources.ts` names. Walkers, documentation and labels go through this list. */
export const resources: readonly Resource[] = (Object.values(declared) as readonly unknown[]).filter(isResource)

/** Every call that is no verb of a resource. */
export const endpoints: readonly Endpoint[] = [
  ...sessionEndpoints,
  ...personalEndpoints,
  ...viewEndpoints,
  ...favouriteEndpoints,
  ...roleEndpoints,
  ...menuEndpoints,
  ...organisationEndpoints,
  ...systemEndpoints,
  ...downloadEndpoints,
  ...homeEndpoints,
  ...deviceEndpoints,
  ...statisticsEndpoints,
  ...trafficEndpoints,
  ...activationEndpoints,
  ...licenceEndpoints,
  ...taskEndpoints,
  ...uploadEndpoints,
  ...filePartEndpoints,
  ...packageEndpoints,
  ...posterEndpoints,
  ...resourceEndpoints,
  ...brokerEndpoints,
  ...settingEndpoints,
  ...releaseEndpoints,
  ...firmwareEndpoints,
  ...searchEndpoints,
]
