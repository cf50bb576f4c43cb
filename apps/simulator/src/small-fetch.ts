import { createHash } from 'node:crypto'
import { UpdateFailed } from '@campanile/agent'

/** Larger files are only pretended to be fetched: thousands of devices share one process. */
const smallBytes = 1024 * 1024

export type FetchSmall = (
  serverUrl: string,
  file: { readonly url: string; readonly size: number; readonly sha256: string },
) => Promise<void>

/** Fetches files as devices do, so many at once. */
export const createFetchSmall = (atOnce = 64): FetchSmall => {
  let free = atOnce
  const waiting: (() => void)[] = []
  const turn = async () => {
    if (free > 0) free -= 1
    else await new Promise<void>((resolve) => waiting.push(resolve))
  }
  const done = () => {
    const next = waiting.shift()
    if (next) next()
    else free += 1
  }
  return async (serverUrl, { url, size, sha256 }) => {
    if (size > smallBytes) return
    await turn()
    try {
      const response = await fetch(new URL(url, serverUrl)).catch((error: Error) => {
        throw new UpdateFailed('downloadFailed', error.message)
      })
      const bytes = Buffer.from(await response.arrayBuffer())
      if (response.status === 403) throw new UpdateFailed('linkExpired')
      if (!response.ok) throw new UpdateFailed('downloadFailed', `the server answers ${response.status}`)
      if (bytes.length !== size) throw new UpdateFailed('sizeDiffers')
      if (createHash('sha256').update(bytes).digest('hex') !== sha256) throw new UpdateFailed('digestDiffers')
    } finally {
      done()
    }
  }
}
