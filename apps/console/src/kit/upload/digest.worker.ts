import { md5 } from '@noble/hashes/legacy.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex } from '@noble/hashes/utils.js'

export type Asked =
  | { readonly id: number; readonly whole: Blob; readonly stop?: undefined }
  | { readonly id: number; readonly part: Blob }
  | { readonly id: number; readonly stop: true }
export type Told =
  | { readonly id: number; readonly read: number }
  | { readonly id: number; readonly digest: string }
  | { readonly id: number; readonly fault: string }

/** As much as is in memory at once, whatever the file weighs. */
const pieceBytes = 4 * 1024 * 1024
const stopped = new Set<number>()
const tell = (told: Told) => self.postMessage(told)

const bytesOf = async (blob: Blob) => new Uint8Array(await blob.arrayBuffer())

const wholeOf = async (id: number, file: Blob) => {
  const hash = sha256.create()
  for (let at = 0; at < file.size; at += pieceBytes) {
    if (stopped.delete(id)) return
    hash.update(await bytesOf(file.slice(at, at + pieceBytes)))
    tell({ id, read: Math.min(file.size, at + pieceBytes) })
  }
  tell({ id, digest: bytesToHex(hash.digest()) })
}

self.addEventListener('message', ({ data }: MessageEvent<Asked>) => {
  const { id } = data
  if ('stop' in data && data.stop) {
    stopped.add(id)
    return
  }
  const done =
    'whole' in data
      ? wholeOf(id, data.whole)
      : bytesOf(data.part).then((bytes) => tell({ id, digest: bytesToHex(md5(bytes)) }))
  done.catch((error: unknown) => tell({ id, fault: String(error) }))
})
