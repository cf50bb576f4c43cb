import { AppError, commonErrors, downloadResource } from '@campanile/contract'
import { mountPlain } from '../../kit/plain.ts'
import { insertRow, updateRow } from '../../kit/rows.ts'
import { defineRoom } from '../../room.ts'
import { file } from '../file/index.ts'
import { customResources, findFile, setContent } from './resource.store.ts'

/** Files with a name that people bring to devices. */
export const resource = defineRoom({
  word: 'resource',
  after: [file],
  tables: ['custom_resource'],
  mount: ({ kit }, { file }) => {
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
    })

    kit.guarded(downloadResource, 'customResource', async (call) => {
      const found = await findFile(call.db, call.scope, call.input.id)
      if (!found) throw new AppError(commonErrors.resourceNotFound, { id: call.input.id })
      call.note({ description: found.fileName })
      return file.sendContent(call.db, found.contentId, found.fileName)
    })
  },
})
