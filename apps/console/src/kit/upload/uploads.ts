import {
  beginUpload,
  cancelUpload,
  finishUpload,
  pendingUploads,
  sendUploadPart,
  type UploadPurposeName,
  uploadInfo,
} from '@campanile/contract/file'
import { useEffect } from 'react'
import { useStore } from 'zustand'
import { useShallow } from 'zustand/react/shallow'
import { useConnection } from '../../shell/connection.ts'
import { calls } from '../calls.ts'
import { createUploads } from './createUploads.ts'
import { md5Of, sha256Of } from './digests.ts'
import { keepOnly, keepWay, openWay, wayTo } from './keptFiles.ts'

/** Every file on its way from this window, whatever page is in front. */
export const uploads = createUploads({
  begin: (file, signal) => calls.call(beginUpload, { ...file, purpose: file.purpose as UploadPurposeName }, { signal }),
  info: (id, signal) => calls.call(uploadInfo, { id }, { signal }),
  part: ({ bytes, ...given }, signal, onProgress) =>
    calls.sendBytes(sendUploadPart, bytes, given, { signal, onProgress }),
  finish: (id, signal) => calls.call(finishUpload, { id }, { signal, timeout: 600_000 }),
  cancel: (id) => calls.call(cancelUpload, { id }),
  sha256: sha256Of,
  md5: md5Of,
  begun: keepWay,
})

useConnection.subscribe(({ state }, before) => {
  if (state === 'online' && before.state !== 'online') uploads.resumeLost()
})

const load = async () => {
  const { uploads: pending } = await calls.call(pendingUploads, {})
  keepOnly(pending.map(({ id }) => id))
  uploads.keep(pending)
}
let asked = false

/** Files for one purpose, with those the server keeps from before the page was loaded anew. */
export const useUploads = (purpose: string) => {
  useEffect(() => {
    // Whoever cannot be told sends the file again, and the server goes on with what it has.
    if (asked) return
    asked = true
    load().catch(() => {
      asked = false
    })
  }, [])
  return useStore(
    uploads.store,
    useShallow(({ items }) => items.filter((item) => item.purpose === purpose)),
  )
}

/** Goes on, with the file the browser still knows the way to; false where it has to be chosen again. */
export const goOn = async (key: string): Promise<boolean> => {
  if (uploads.hasFile(key)) {
    uploads.resume(key)
    return true
  }
  const id = uploads.store.getState().items.find((item) => item.key === key)?.standing?.id
  const way = id === undefined ? undefined : await wayTo(id)
  const file = way && (await openWay(way))
  return file !== undefined && uploads.choose(key, file)
}
