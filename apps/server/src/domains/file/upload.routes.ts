import {
  beginUpload,
  cancelUpload,
  deviceDownload,
  finishUpload,
  pendingUploads,
  sendUploadPart,
  uploadInfo,
} from '@campanile/contract'
import type { Services } from '../../services.ts'
import { createDownloads } from './download.ts'
import { createUploads } from './upload.service.ts'

/** Uploads that were forgotten, contents that no row names any more, and the bytes of both. */
export const removeUnneeded = (services: Services) => createUploads(services).sweep()

/** Files that come in parts and are fetched by whoever may; other rooms make rows of them. */
export const mountUploads = (services: Services) => {
  const { kit } = services
  const uploads = createUploads(services)
  const downloads = createDownloads(services)
  const module = 'upload'

  kit.guarded(
    beginUpload,
    module,
    ({ actor, input, note }) => {
      note({ description: input.name })
      return uploads.begin(actor, input)
    },
    'noTransaction',
  )
  kit.guarded(uploadInfo, module, ({ actor, input }) => uploads.info(actor, input.id))
  kit.guarded(pendingUploads, module, ({ actor }) => uploads.pending(actor))
  kit.takesBody(sendUploadPart, module, { receive: uploads.receive, run: uploads.count })
  kit.guarded(
    finishUpload,
    module,
    async ({ actor, input, note }) => {
      const upload = await uploads.finish(actor, input.id)
      note({ description: upload.name })
      return upload
    },
    'noTransaction',
  )
  kit.guarded(
    cancelUpload,
    module,
    async ({ actor, input, note }) => {
      note({ description: (await uploads.cancel(actor, input.id)).name })
      return {}
    },
    'noTransaction',
  )
  kit.open(deviceDownload, module, ({ input }) => downloads.fetch(input))

  return {
    takeUpload: uploads.takeUpload,
    contentFor: uploads.contentFor,
    sendContent: downloads.send,
    linkFor: downloads.linkFor,
  }
}
