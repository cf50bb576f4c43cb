import { activationCode, activationEndpoints } from './activation/activation-code.resource.ts'
import { deviceSetting, queryLog, settingEndpoints, settingHistory, testModel } from './command/setting.resource.ts'
import { deviceTask, taskDevice, taskEndpoints } from './command/task.resource.ts'
import { deviceEndpoints } from './device/device.endpoints.ts'
import { device } from './device/device.resource.ts'
import { deviceGroup } from './device/group.resource.ts'
import { exportFile } from './file/export-file.resource.ts'
import { homeEndpoints } from './home/home.endpoints.ts'
import { menuEndpoints } from './identity/menu.endpoints.ts'
import { menu } from './identity/menu.resource.ts'
import { personalEndpoints } from './identity/personal.endpoints.ts'
import { roleEndpoints } from './identity/role.endpoints.ts'
import { role } from './identity/role.resource.ts'
import { sessionEndpoints } from './identity/session.endpoints.ts'
import { user } from './identity/user.resource.ts'
import type { Endpoint, Resource } from './kit/index.ts'
import { healthLicence, imLicence, iotLicence, licenceEndpoints } from './licence/licence.resource.ts'
import { organisationEndpoints } from './organisation/organisation.endpoints.ts'
import { organisation } from './organisation/organisation.resource.ts'
import { announcement } from './system/announcement.resource.ts'
import { dictionaryItem } from './system/dictionary.resource.ts'
import { operationLog } from './system/operation-log.resource.ts'
import { systemEndpoints } from './system/system.endpoints.ts'

/** Every kind of row there is. Walkers, documentation and labels go through this list. */
export const resources: readonly Resource[] = [
  organisation,
  user,
  role,
  menu,
  dictionaryItem,
  announcement,
  operationLog,
  exportFile,
  device,
  deviceGroup,
  activationCode,
  iotLicence,
  imLicence,
  healthLicence,
  deviceTask,
  taskDevice,
  deviceSetting,
  settingHistory,
  queryLog,
  testModel,
]

/** Every call that is no verb of a resource. */
export const endpoints: readonly Endpoint[] = [
  ...sessionEndpoints,
  ...personalEndpoints,
  ...roleEndpoints,
  ...menuEndpoints,
  ...organisationEndpoints,
  ...systemEndpoints,
  ...homeEndpoints,
  ...deviceEndpoints,
  ...activationEndpoints,
  ...licenceEndpoints,
  ...taskEndpoints,
  ...settingEndpoints,
]
