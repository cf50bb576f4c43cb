import {
  AppError,
  commonErrors,
  downloadFirmware,
  otaHistory,
  otaResult,
  otaStatistic,
  permitCharacters,
  readFirmwareName,
  releaseErrors,
  releaseFirmware,
} from '@campanile/contract'
import { type RawBuilder, sql } from 'kysely'
import type { Scope } from '../../kit/actor.ts'
import { mountPlain } from '../../kit/plain.ts'
import { insertRow, removeRows, updateRow } from '../../kit/rows.ts'
import type { Db } from '../../platform/db.ts'
import { createReleaseKey } from '../../platform/release-key.ts'
import { defineRoom } from '../../room.ts'
import { device } from '../device/index.ts'
import { file } from '../file/index.ts'
import { release } from '../release/index.ts'
import { createFirmwareRules } from './firmware.rules.ts'
import { findOutOfReach, findPackage, isInRelease, isNameTaken, packages, setContent } from './firmware.store.ts'

/** What the name of a file says of it. */
const partsOf = (fileName: string) => {
  const read = readFirmwareName(fileName)
  if (!read.ok) throw new AppError(releaseErrors.fileNameWrong, { part: read.part })
  const { model, wireless, sv, fv, pv } = read.name
  return { model, wireless, systemVersion: sv, firmwareVersion: fv, packageVersion: pv }
}

/** The wire joins them with commas; whoever names one must reach it. */
const checkPermitted = async (db: Db, scope: Scope, permitEids: string | null | undefined) => {
  if (!permitEids) return
  if (permitEids.length >= permitCharacters)
    throw new AppError(releaseErrors.permittedListTooLong, { limit: permitCharacters })
  const missing = await findOutOfReach(db, scope, permitEids.split(',').map(Number))
  if (missing !== undefined) throw new AppError(commonErrors.resourceNotFound, { id: missing })
}

/** Releases outlive their package; the name it had says the model. */
const modelOf = (name: RawBuilder<unknown>) => sql`split_part(${name}, '_', 1)`

/** Versions of the systems of devices, and how they come onto them. */
export const firmware = defineRoom({
  word: 'firmware',
  after: [device, file, release],
  tables: ['firmware'],
  mount: ({ kit, clock, secrets }, { file, release }) => {
    mountPlain(kit, packages, {
      create: async (call) => {
        const { uploadId, ...draft } = call.input
        await checkPermitted(call.db, call.scope, draft.permitEids)
        const taken = await file.takeUpload(call, uploadId, 'firmware', draft.departmentId)
        const { contentId, name, size, sha256 } = taken
        const parts = partsOf(name)
        if (await isNameTaken(call.db, draft.departmentId, name))
          throw new AppError(releaseErrors.packageExists, { name })
        call.note({ description: name })
        return {
          id: await insertRow(call.db, packages, call.scope, draft, { contentId, name, size, sha256, ...parts }),
        }
      },
      update: async (call) => {
        const { id, departmentId, permitEids } = call.input
        await checkPermitted(call.db, call.scope, permitEids)
        await updateRow(call, packages, call.input)
        const moved = departmentId && (await findPackage(call.db, call.scope, id))
        if (moved) await setContent(call.db, id, await file.contentFor(call.db, moved.contentId, departmentId))
        return {}
      },
      remove: async ({ db, scope, input, note }) => {
        if (await isInRelease(db, input)) throw new AppError(releaseErrors.inRelease)
        const names = await removeRows(db, packages, scope, input)
        note({ description: names.join(', ') })
        return { removed: names.length }
      },
    })

    kit.guarded(downloadFirmware, 'firmware', async (call) => {
      const found = await findPackage(call.db, call.scope, call.input.id)
      if (!found) throw new AppError(releaseErrors.notFound)
      call.note({ description: found.name })
      return file.sendContent(call.db, found.contentId, found.name)
    })

    kit.guarded(releaseFirmware, 'firmware', async (call) => {
      const { id, ...order } = call.input
      return release.create({ ...call, input: { ...order, kind: 'firmware', itemId: id } })
    })

    const histories = release.tableOf(otaHistory, 'firmware', {
      model: modelOf(sql`t.item_name`),
      fromVersions: sql`(select string_agg(distinct v.old_version, ', ') from release_device v where v.release_id = t.id)`,
    })
    mountPlain(kit, histories, { actions: release.actionsOn(histories) })
    const results = release.devicesOf(otaResult, 'firmware')
    mountPlain(kit, results, { actions: release.deviceActionsOn(results) })
    mountPlain(kit, release.statisticsOf(otaStatistic, 'firmware', { columns: { model: modelOf(sql`r.item_name`) } }))

    const key = createReleaseKey(secrets.signingKey)
    release.bring('firmware', createFirmwareRules({ key, now: () => clock.now(), linkFor: file.linkFor }))
  },
})
