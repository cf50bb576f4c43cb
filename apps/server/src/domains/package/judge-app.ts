import { AppError, packageErrors } from '@campanile/contract'
import type { Db } from '../../platform/db.ts'
import { type EarlierApp, findVersions, lockPackage, type OfferedApp } from './app.store.ts'
import { mayReplace, type ReadApp, signerOf } from './read-app.ts'

const nameOf = ({ app }: ReadApp) => ({
  name: app.label.default,
  version: app.versionName ?? String(app.versionCode),
})

/** What Android would refuse on a device is refused here, while somebody can still do something about it. */
const mustStandAlone = ({ app, signing }: ReadApp) => {
  if (app.split !== null || app.needsSplits) throw new AppError(packageErrors.notWhole)
  if (signing.verified === null) throw new AppError(packageErrors.unsigned, { reason: signing.fault })
}

/** The versions there are, the newest first: the same again, an older one, and one that somebody else signed are refused. */
const mustFollow = (read: ReadApp, earlier: readonly EarlierApp[]) => {
  const told = nameOf(read)
  if (earlier.some(({ versionCode }) => BigInt(versionCode) === read.app.versionCode))
    throw new AppError(packageErrors.versionExists, told)
  const [newest] = earlier
  if (!newest) return
  if (BigInt(newest.versionCode) > read.app.versionCode)
    throw new AppError(packageErrors.versionLower, { ...told, newest: newest.version })
  if (!mayReplace(newest.signers, read.signing)) throw new AppError(packageErrors.signerDiffers, told)
}

/** The same of an app that somebody else has judged already: whoever signed it signed those the enterprise has. */
export const judgeOffered = async (tx: Db, enterpriseId: number, app: OfferedApp) => {
  await lockPackage(tx, enterpriseId, app.packageName)
  const [newest, ...earlier] = await findVersions(tx, enterpriseId, app.packageName)
  if (!newest) return
  const told = { name: app.appName, version: app.version }
  if ([newest, ...earlier].some(({ versionCode }) => versionCode === app.versionCode))
    throw new AppError(packageErrors.versionExists, told)
  if (BigInt(newest.versionCode) > BigInt(app.versionCode))
    throw new AppError(packageErrors.versionLower, { ...told, newest: newest.version })
  if (newest.signers.join() !== app.signers.join()) throw new AppError(packageErrors.signerDiffers, told)
}

/** Whether an enterprise may take this app beside those it has. Held until the transaction ends. */
export const judgeApp = async (tx: Db, enterpriseId: number, read: ReadApp) => {
  mustStandAlone(read)
  await lockPackage(tx, enterpriseId, read.app.packageName)
  mustFollow(read, await findVersions(tx, enterpriseId, read.app.packageName))
}

export const mustBeSignedWith = (fingerprint: string, { signing }: ReadApp) => {
  if (signerOf(signing) !== fingerprint) throw new AppError(packageErrors.notSignedWithKey)
}
