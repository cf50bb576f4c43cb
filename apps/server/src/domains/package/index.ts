import { AppError, appHistory, appResult, appStatistic, packageErrors, releaseApp } from '@campanile/contract'
import { mountPlain } from '../../kit/plain.ts'
import { createSeal } from '../../platform/seal.ts'
import { defineRoom } from '../../room.ts'
import { device } from '../device/index.ts'
import { file } from '../file/index.ts'
import { identity } from '../identity/index.ts'
import { organisation } from '../organisation/index.ts'
import { release } from '../release/index.ts'
import { createAppRules, findNewest } from './app.release.ts'
import { mountApps } from './app.routes.ts'
import { mountAudit } from './audit.routes.ts'
import { byApp, categories, downloads } from './package.tables.ts'
import { mountSigningKeys } from './signing-key.routes.ts'

/** Apps: what was uploaded, who may use it, and the store. */
export const packageRoom = defineRoom({
  word: 'package',
  after: [organisation, identity, device, file, release],
  tables: ['app_package', 'app_category', 'signing_key', 'app_download', 'app_download_default'],
  mount: (services, { identity, file, release }) => {
    const { kit, records, secrets } = services
    mountPlain(kit, categories)
    mountSigningKeys({ ...services, seal: createSeal(secrets.sealKey), decryptAll: identity.decryptAll })
    mountApps({ ...services, file })
    mountAudit(kit)
    mountPlain(kit, downloads)
    const histories = release.tableOf(appHistory, 'app')
    mountPlain(kit, histories, { actions: release.actionsOn(histories) })
    const results = release.devicesOf(appResult, 'app', byApp)
    mountPlain(kit, results, { actions: release.deviceActionsOn(results) })
    mountPlain(kit, release.statisticsOf(appStatistic, 'app', byApp))
    release.bring('app', createAppRules(services, file))
    kit.guarded(releaseApp, 'appPackage', async (call) => {
      const { id, packageName, ...order } = call.input
      if (id === undefined && packageName === undefined) throw new AppError(packageErrors.packageNameRequired)
      const itemId = id ?? (await findNewest(call.db, call.scope, packageName ?? ''))
      if (itemId === undefined) throw new AppError(packageErrors.notFound)
      return release.create({ ...call, input: { ...order, kind: 'app', itemId } })
    })
    records.keep({ table: 'app_download', keepDays: () => 365 })
  },
})
