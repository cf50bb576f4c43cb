import { AppError, commandErrors, deviceErrors, devicesMax, type Target } from '@campanile/contract'
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Scope } from '../../kit/actor.ts'
import { matchingNow, source } from '../../kit/table.ts'
import type { Db } from '../../platform/db.ts'
import { deviceTable, findBySns, type Known, knownColumns, readFilter } from '../device/index.ts'

const findWhere = async (db: Db, where: RawBuilder<SqlBool>): Promise<Known[]> =>
  (
    await sql<Known>`select ${knownColumns} from ${source(deviceTable)} where ${where} order by t.id
      limit ${devicesMax + 1}`.execute(db)
  ).rows

const findMeant = async (db: Db, scope: Scope, target: Target): Promise<Known[]> => {
  if ('sns' in target) {
    const sns = [...new Set(target.sns)]
    if (sns.length > devicesMax) throw new AppError(commandErrors.tooManyDevices, { limit: devicesMax })
    const devices = await findBySns(db, scope, sns)
    const found = new Set(devices.map(({ sn }) => sn))
    const missing = sns.find((sn) => !found.has(sn))
    if (missing !== undefined) throw new AppError(deviceErrors.notFound, { sn: missing })
    return devices
  }
  const filters =
    'groupId' in target
      ? { groupId: target.groupId }
      : { ...readFilter(target.filter), ...(target.except && { except: target.except }) }
  return findWhere(db, await matchingNow(db, deviceTable, scope, filters))
}

/** The devices meant, as they are at this moment: all within reach, at least one, at most ten thousand. */
export const resolveTarget = async (db: Db, scope: Scope, target: Target): Promise<Known[]> => {
  const devices = await findMeant(db, scope, target)
  if (devices.length === 0) throw new AppError(commandErrors.noDeviceSelected)
  if (devices.length > devicesMax) throw new AppError(commandErrors.tooManyDevices, { limit: devicesMax })
  return devices
}
