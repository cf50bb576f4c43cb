import {
  AppError,
  appDetail,
  appPackage,
  type Draft,
  downloadApp,
  downloadStoreApp,
  linkApp,
  type Patch,
  packageErrors,
  permittedMax,
} from '@campanile/contract'
import { moveRows } from '../../kit/action.ts'
import type { Call } from '../../kit/call.ts'
import { mountPlain } from '../../kit/plain.ts'
import { findRow, insertRow, removeRows, updateRow } from '../../kit/rows.ts'
import { touchRows } from '../../kit/touched.ts'
import type { Services } from '../../services.ts'
import { enterprisesOf } from '../device/index.ts'
import type { FileRoom } from '../file/index.ts'
import {
  findKept,
  findOffered,
  findSiblings,
  insertDownload,
  isBeingReleased,
  noteReason,
  noteSubmission,
} from './app.store.ts'
import { judgeApp, judgeOffered, mustBeSignedWith } from './judge-app.ts'
import { apps, storeApps, storeAppsOld } from './package.tables.ts'
import { findFingerprint } from './signing-key.store.ts'
import { createUploadedApps, type UploadedApp } from './uploaded-app.ts'

/** Long enough to walk to a device with a picture of it. */
const linkSeconds = 3600

interface Deps extends Pick<Services, 'kit' | 'db' | 'clock'> {
  readonly file: FileRoom
}

type NewApp = Draft<typeof appPackage>
type ChangedApp = Patch<typeof appPackage>

const permitted = (given: string | null | undefined): number[] => {
  if (!given) return []
  if (given.length >= permittedMax) throw new AppError(packageErrors.permittedListTooLong, { limit: permittedMax - 1 })
  return [...new Set(given.split(',').map(Number))]
}

/** People's own apps, and what the store offers of them. */
export const mountApps = (deps: Deps) => {
  const { kit, file } = deps
  const { storedFiles } = kit.longWork
  const ofIcon = { resource: appPackage.name, field: 'icon' }
  const uploaded = createUploadedApps(file)

  const submit = async (call: Call, id: number) => {
    await moveRows(call.db, apps, call.scope, appPackage.actions.submit, [id])
    await noteSubmission(call.db, id, call.actor.id)
  }

  const insert = async (call: Call<NewApp>, { contentId, enterpriseId, size, sha256, read }: UploadedApp) => {
    const { db, scope, input } = call
    const { app, signing } = read
    await judgeApp(db, enterpriseId, read)
    if (input.signingKeyId) mustBeSignedWith(await findFingerprint(db, input.signingKeyId), read)
    const version = app.versionName ?? String(app.versionCode)
    call.note({ description: `${app.label.default} ${version}` })
    return insertRow(db, apps, scope, input, {
      contentId,
      enterpriseId,
      size,
      sha256,
      icon: app.icon && (await storedFiles.make(db, ofIcon, 'icon', app.icon.bytes)),
      appName: app.label.default,
      packageName: app.packageName,
      version,
      versionCode: String(app.versionCode),
      signers: signing.signers.map((signer) => signer.sha256),
      minSdk: app.minSdk,
      permissions: [...app.permissions],
      permitted: permitted(input.permitEids),
    })
  }

  const create = async (call: Call<NewApp>) => {
    const { file: uploadId, departmentId, appPushShop } = call.input
    const id = await uploaded.take(call, { uploadId, departmentId }, (app) => insert(call, app))
    if (appPushShop) await submit(call, id)
    return { id }
  }

  const update = async (call: Call<ChangedApp>) => {
    const { db, input } = call
    const before = await findRow(db, apps, call.scope, input.id)
    if (input.signingKeyId && input.signingKeyId !== before.signingKeyId) {
      const fingerprint = await findFingerprint(db, input.signingKeyId)
      if (before.signer !== fingerprint) throw new AppError(packageErrors.notSignedWithKey)
    }
    await updateRow(call, apps, input, input.permitEids === undefined ? {} : { permitted: permitted(input.permitEids) })
    return {}
  }

  mountPlain(kit, apps, {
    create,
    update,
    remove: async ({ db, scope, input, note }) => {
      if (await isBeingReleased(db, input)) throw new AppError(packageErrors.inRelease)
      const names = await removeRows(db, apps, scope, input)
      note({ description: names.join(', ') })
      return { removed: names.length }
    },
    actions: {
      submit: async (call) => {
        await submit(call, call.input.id)
        return {}
      },
      takeDown: async (call) => {
        const { id, reason } = call.input
        await moveRows(call.db, apps, call.scope, appPackage.actions.takeDown, [id])
        await noteReason(call.db, id, reason)
        return {}
      },
    },
  })
  /** The enterprise has it as its own from then on: what becomes of the one it was taken from changes nothing. */
  const addToMine = async (call: Call<{ id: number; departmentId: number }>) => {
    const { db, scope, input } = call
    await findRow(db, storeApps, scope, input.id)
    const offered = await findOffered(db, input.id)
    const enterpriseId = (await enterprisesOf(db, [input.departmentId])).get(input.departmentId)?.id
    if (!offered || enterpriseId === undefined) throw new AppError(packageErrors.notFound)
    const { icon, contentId, appCate, description, ...facts } = offered
    call.note({ description: `${facts.appName} ${facts.version}` })
    await judgeOffered(db, enterpriseId, offered)
    const draft = {
      departmentId: input.departmentId,
      appCate,
      description,
      type: 'private' as const,
      appPushShop: false,
    }
    const id = await insertRow(db, apps, scope, draft, {
      ...facts,
      enterpriseId,
      contentId: await file.contentFor(db, contentId, input.departmentId),
      icon: icon && (await storedFiles.make(db, ofIcon, 'icon', await storedFiles.read(db, ofIcon, icon))),
      permitted: [],
    })
    return { id }
  }
  mountPlain(kit, storeApps, { actions: { addToMine } })
  mountPlain(kit, storeAppsOld)

  /** Whoever fetches an app is written down with it. */
  const fetched = async (call: Call<{ id: number }>) => {
    const app = await findKept(call.db, call.input.id)
    if (!app) throw new AppError(packageErrors.notFound)
    // A file that is gone is an error, and then nobody has fetched it.
    const sent = await file.sendContent(deps.db, app.contentId, `${app.packageName}-${app.version}.apk`)
    await insertDownload(deps.db, { app, userId: call.actor.id, departmentId: call.actor.department.id })
    return sent
  }
  kit.guarded(downloadApp, 'appPackage', async (call) => {
    const { appName, version } = await findRow(call.db, apps, call.scope, call.input.id)
    call.note({ description: `${appName} ${version}` })
    await touchRows(call, apps, [call.input.id])
    return fetched(call)
  })
  kit.guarded(appDetail, 'appPackage', async ({ db, scope, input, note }) => {
    const row = await findRow(db, apps, scope, input.id)
    note({ description: `${row.appName} ${row.version}` })
    return { row, versions: await findSiblings(db, scope, input.id) }
  })
  kit.guarded(linkApp, 'appPackage', async (call) => {
    const { appName, version } = await findRow(call.db, apps, call.scope, call.input.id)
    call.note({ description: `${appName} ${version}` })
    const app = await findKept(call.db, call.input.id)
    if (!app) throw new AppError(packageErrors.notFound)
    const until = Math.floor(deps.clock.now().getTime() / 1000) + linkSeconds
    return { path: file.linkFor(app.contentId, until), until: new Date(until * 1000).toISOString() }
  })
  kit.guarded(downloadStoreApp, 'storeApp', async (call) => {
    const { appName, version } = await findRow(call.db, storeApps, call.scope, call.input.id)
    call.note({ description: `${appName} ${version}` })
    return fetched(call)
  })
}
