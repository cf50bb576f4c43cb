import { AppError, appInstallModes, appRelease, packageErrors, type UpdateFault } from '@campanile/contract'
import { signManifest } from '@campanile/manifest'
import { type SqlBool, sql } from 'kysely'
import type { Scope } from '../../kit/actor.ts'
import { inScope } from '../../kit/scope.ts'
import { source } from '../../kit/table.ts'
import type { Db } from '../../platform/db.ts'
import { createReleaseKey } from '../../platform/release-key.ts'
import type { Services } from '../../services.ts'
import type { Known } from '../device/index.ts'
import type { FileRoom } from '../file/index.ts'
import type { HeardRelease, HeardStep, KindRules, ReleaseItem } from '../release/index.ts'
import { type FetchedByDevice, findKept, insertDeviceDownloads } from './app.store.ts'
import { apps, isOffered } from './package.tables.ts'

/** A manifest is good for as long as a device may take to come and fetch what it promises. */
const manifestDays = 30
/** A link is made anew with every batch that is told; a device that was too slow is told again. */
const linkSeconds = 24 * 3600

interface ReleasedApp extends ReleaseItem {
  readonly contentId: number
  readonly packageName: string
  readonly version: string
  readonly bytes: number
  readonly sha256: string
}

/** One's own, and what the store or its owner lets one use. */
const findApp = async (db: Db, scope: Scope | undefined, id: number): Promise<ReleasedApp | undefined> => {
  const usable = scope ? sql<SqlBool>`(${inScope(apps, scope)} or ${isOffered(scope)})` : sql<SqlBool>`true`
  return (
    await sql<ReleasedApp>`select t.id, t.app_name as name, t.version, t.size as bytes, t.content_id as "contentId",
        t.package_name as "packageName", encode(t.sha_256, 'hex') as sha256
      from ${source(apps)} where t.id = ${id} and ${usable}`.execute(db)
  ).rows[0]
}

/** The newest of a package, of those one may use. */
export const findNewest = async (db: Db, scope: Scope, packageName: string): Promise<number | undefined> =>
  (
    await sql<{ id: number }>`select t.id from ${source(apps)} where t.package_name = ${packageName}
      and (${inScope(apps, scope)} or ${isOffered(scope)}) order by t.version_code desc, t.id desc limit 1`.execute(db)
  ).rows[0]?.id

const findInstalled = async (db: Db, { packageName }: ReleasedApp, ids: readonly number[]) => {
  const { rows } = await sql<{ deviceId: number; version: string }>`select device_id as "deviceId", version
    from device_app where package = ${packageName} and device_id = any(${ids}) and version is not null`.execute(db)
  return new Map(rows.map(({ deviceId, version }) => [deviceId, version]))
}

/** How often it was released, and on how many devices that put it. */
const countUses = (tx: Db, id: number) =>
  sql`update app_package set
      publish_count = (select count(*) from release r where r.kind = 'app' and r.item_id = ${id}),
      install_count = (select coalesce(sum(r.succeeded), 0) from release r
        where r.kind = 'app' and r.item_id = ${id} and r.action = 'install'),
      success_rate = (select round(100.0 * sum(r.succeeded) / nullif(sum(r.succeeded + r.failed), 0)) from release r
        where r.kind = 'app' and r.item_id = ${id} and r.action = 'install')
    where id = ${id}`.execute(tx)

/** Where these are said, the file has not come, though the device had told of no step before. */
const fetchFaults: readonly (string | null | undefined)[] = [
  'linkExpired',
  'downloadFailed',
  'sizeDiffers',
  'digestDiffers',
] satisfies UpdateFault[]

/** Of what devices did, whatever says that one has fetched the file of an app, or could not. */
const fetchesIn = (steps: readonly HeardStep[]): FetchedByDevice[] =>
  steps.flatMap(({ what, device, from, reason, detail }): FetchedByDevice[] => {
    if (!device) return []
    if (what === 'upgrading' || (what === 'succeeded' && from !== 'upgrading')) return [{ device, reason: null }]
    const isFailure = what === 'failed' || what === 'retryPlanned'
    // Whoever has begun to install it had fetched it.
    if (!isFailure || from === 'upgrading' || (from !== 'downloading' && !fetchFaults.includes(reason))) return []
    return [{ device, reason: (reason === 'unknown' ? detail : reason) ?? 'unknown' }]
  })

const noteFetches = async (tx: Db, release: HeardRelease, steps: readonly HeardStep[]) => {
  const fetched = release.action === 'install' ? fetchesIn(steps) : []
  const app = fetched.length > 0 ? await findKept(tx, release.itemId) : undefined
  if (app) await insertDeviceDownloads(tx, app, fetched)
}

/** How apps are released. */
export const createAppRules = (
  { clock, secrets }: Pick<Services, 'clock' | 'secrets'>,
  file: FileRoom,
): KindRules<ReleasedApp> => {
  const { privateKey } = createReleaseKey(secrets.signingKey)
  const now = () => Math.floor(clock.now().getTime() / 1000)

  const installing = (app: ReleasedApp) => ({
    version: app.version,
    file: {
      url: file.linkFor(app.contentId, now() + linkSeconds),
      size: app.bytes,
      sha256: app.sha256,
      name: `${app.packageName}-${app.version}.apk`.replace(/[/\\]/g, '_'),
    },
    manifest: signManifest(privateKey, {
      kind: 'app',
      name: app.packageName,
      version: app.version,
      size: app.bytes,
      sha256: app.sha256,
      models: [],
      expires: now() + manifestDays * 24 * 3600,
    }),
  })

  return {
    find: findApp,
    currentCode: packageErrors.alreadyInstalled.code,
    versionsOf: findInstalled,
    refuse: async (db, app, devices: readonly Known[], { action }) => {
      if (action !== 'install') return []
      const installed = await findInstalled(
        db,
        app,
        devices.map(({ id }) => id),
      )
      return devices
        .filter(({ id }) => installed.get(id) === app.version)
        .map(({ sn }) => new AppError(packageErrors.alreadyInstalled, { sn }))
    },
    command: (_db, app, { action, installMode, options }) => {
      const { minBattery, wifiOnly, bytesPerSecond } = options
      const told = appRelease.actions.find((each) => each === action) ?? 'install'
      const mode = appInstallModes.find((each) => each === installMode) ?? 'silent'
      return {
        command: 'installApp',
        args: {
          package: app.packageName,
          action: told,
          ...(told === 'install' && { ...installing(app), installMode: mode }),
          ...(minBattery !== undefined && { minBattery }),
          ...(wifiOnly !== undefined && { wifiOnly }),
          ...(bytesPerSecond !== undefined && { bytesPerSecond }),
        },
      }
    },
    heard: noteFetches,
    after: (tx, { id }) => countUses(tx, id),
  }
}
