import { AppError, compareVersions, releaseErrors } from '@campanile/contract'
import { type Manifest, signManifest } from '@campanile/manifest'
import type { Db } from '../../platform/db.ts'
import type { ReleaseKey } from '../../platform/release-key.ts'
import { enterprisesOf, type Known } from '../device/index.ts'
import type { KindRules } from '../release/index.ts'
import { findPackage, findRuns, type Package, type Runs } from './firmware.store.ts'

/** As long as a command waits for its device; the link in it is shorter. */
const promisedHours = 72
const linkHours = 24

export interface RulesParts {
  readonly key: ReleaseKey
  readonly now: () => Date
  readonly linkFor: (contentId: number, until: number) => string
}

/** Why a device does not take a package; undefined where it does. */
export const whyNot = (item: Package, runs: Runs | undefined, isDowngrade: boolean) => {
  const version = runs?.version ?? undefined
  if (runs?.model !== item.model) return releaseErrors.deviceModelDiffers
  if (version === item.version) return releaseErrors.alreadyOnVersion
  if (item.base !== null && version !== item.base) return releaseErrors.baseDiffers
  const order = version === undefined ? 1 : (compareVersions(item.version, version) ?? 1)
  return order <= 0 && !isDowngrade ? releaseErrors.olderVersion : undefined
}

/** Devices of enterprises that its owner has not permitted. */
const notPermitted = async (db: Db, item: Package, devices: readonly Known[]): Promise<ReadonlySet<number>> => {
  if (item.permitEids === null) return new Set()
  const places = [...new Set([item.departmentId, ...devices.map(({ departmentId }) => departmentId)])]
  const owners = await enterprisesOf(db, places)
  const permitted = new Set([owners.get(item.departmentId)?.id, ...item.permitEids.split(',').map(Number)])
  return new Set(devices.filter(({ departmentId }) => !permitted.has(owners.get(departmentId)?.id)).map(({ id }) => id))
}

/** How firmware is released. */
export const createFirmwareRules = ({ key, now, linkFor }: RulesParts): KindRules<Package> => ({
  find: findPackage,
  currentCode: releaseErrors.alreadyOnVersion.code,
  refuse: async (db, item, devices, { action }) => {
    const forbidden = await notPermitted(db, item, devices)
    const runs = await findRuns(
      db,
      devices.map(({ id }) => id),
    )
    return devices.flatMap(({ id, sn }) => {
      const error = forbidden.has(id) ? releaseErrors.noPermission : whyNot(item, runs.get(id), action === 'downgrade')
      return error ? [new AppError(error, { sn })] : []
    })
  },
  command: (_db, item, { action, options }) => {
    const { name, version, bytes: size, sha256, model, base, contentId } = item
    const seconds = Math.floor(now().getTime() / 1000)
    const manifest: Manifest = {
      kind: 'firmware',
      name,
      version,
      size,
      sha256,
      models: [model],
      ...(base !== null && { base }),
      expires: seconds + promisedHours * 3600,
    }
    const { minBattery, wifiOnly, bytesPerSecond } = options
    return {
      command: 'upgradeFirmware',
      args: {
        version,
        file: { url: linkFor(contentId, seconds + linkHours * 3600), size, sha256, name },
        manifest: signManifest(key.privateKey, manifest),
        ...(action === 'downgrade' && { downgrade: true }),
        ...(minBattery !== undefined && { minBattery }),
        ...(wifiOnly !== undefined && { wifiOnly }),
        ...(bytesPerSecond !== undefined && { bytesPerSecond }),
      },
    }
  },
  versionsOf: async (db, _item, deviceIds) =>
    new Map(
      [...(await findRuns(db, deviceIds)).values()].flatMap(({ id, version }) => (version ? [[id, version]] : [])),
    ),
})
