import {
  AppError,
  commonErrors,
  downloadResource,
  linkMaxSeconds,
  linkResource,
  releaseResource,
  resourceErrors,
  resourceReleased,
  resourceStatistic,
} from '@campanile/contract'
import { mountPlain } from '../../kit/plain.ts'
import { insertRow, removeRows, updateRow } from '../../kit/rows.ts'
import { defineRoom } from '../../room.ts'
import { device } from '../device/index.ts'
import { file } from '../file/index.ts'
import { release } from '../release/index.ts'
import { createResourceRules } from './resource.rules.ts'
import { customResources, findFile, isInRelease, setContent } from './resource.store.ts'

/** Files with a name that people bring to devices. */
export const resource = defineRoom({
  word: 'resource',
  after: [device, file, release],
  tables: ['custom_resource'],
  mount: ({ kit, clock }, { file, release }) => {
    mountPlain(kit, customResources, {
      create: async (call) => {
        const { uploadId, ...draft } = call.input
        const taken = await file.takeUpload(call, uploadId, 'resource', draft.departmentId)
        const { contentId, name: fileName, size, sha256 } = taken
        return {
          id: await insertRow(call.db, customResources, call.scope, draft, { contentId, fileName, size, sha256 }),
        }
      },
      update: async (call) => {
        const { id, departmentId } = call.input
        await updateRow(call, customResources, call.input)
        if (departmentId) {
          const moved = await findFile(call.db, call.scope, id)
          if (moved) await setContent(call.db, id, await file.contentFor(call.db, moved.contentId, departmentId))
        }
        return {}
      },
      remove: async ({ db, scope, input, note }) => {
        if (await isInRelease(db, input)) throw new AppError(resourceErrors.inUse)
        const names = await removeRows(db, customResources, scope, input)
        note({ description: names.join(', ') })
        return { removed: names.length }
      },
    })

    kit.guarded(downloadResource, 'customResource', async (call) => {
      const found = await findFile(call.db, call.scope, call.input.id)
      if (!found) throw new AppError(commonErrors.resourceNotFound, { id: call.input.id })
      call.note({ description: found.fileName })
      return file.sendContent(call.db, found.contentId, found.fileName)
    })

    kit.guarded(linkResource, 'customResource', async (call) => {
      const found = await findFile(call.db, call.scope, call.input.id)
      if (!found) throw new AppError(commonErrors.resourceNotFound, { id: call.input.id })
      const until = Math.floor(clock.now().getTime() / 1000) + linkMaxSeconds
      call.note({ description: found.fileName })
      return { url: file.linkFor(found.contentId, until), until: new Date(until * 1000).toISOString() }
    })

    release.bring(
      'resource',
      createResourceRules(() => clock.now(), file),
    )
    const released = release.devicesOf(resourceReleased, 'resource')
    mountPlain(kit, released, { actions: release.deviceActionsOn(released) })
    mountPlain(kit, release.statisticsOf(resourceStatistic, 'resource'))
    kit.guarded(releaseResource, 'resourceReleased', (call) => {
      const { resourceId, path, ...order } = call.input
      const given = path === undefined ? {} : { given: { path } }
      return release.create(
        { ...call, input: { ...order, kind: 'resource', itemId: resourceId, ...given } },
        releaseResource.perm,
      )
    })
  },
})
