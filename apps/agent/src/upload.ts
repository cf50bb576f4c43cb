import { createHash } from 'node:crypto'
import { request as httpRequest } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { setTimeout as sleep } from 'node:timers/promises'
import { type CommandMessage, uploadTokenHeader } from '@campanile/contract/protocol'
import type { Artefact, Result } from './hardware/port.ts'

export type Upload = NonNullable<CommandMessage['upload']>
const quietMs = 60_000
/** Before a second and a third try. */
const pausesMs = [1_000, 3_000]

/** The line broke before an answer came: the file may have arrived, and sent again it is confirmed again. */
class LineBroke extends Error {}

/** Sends a file to where the command says. Returns once the server has confirmed it, so that `done` means it is there. */
export const sendFile = async (serverUrl: string, upload: Upload, file: Artefact): Promise<Result> => {
  const url = new URL(upload.url, serverUrl)
  if (url.protocol !== 'https:' && url.protocol !== 'http:') throw new Error(`no upload to ${url.protocol} addresses`)
  if (url.protocol === 'http:' && serverUrl.startsWith('https:'))
    throw new Error('the upload address is not encrypted, the server is')
  for (let attempt = 0; ; attempt += 1) {
    const digest = createHash('sha256')
    try {
      await put(url, upload.token, file, (chunk) => digest.update(chunk))
      return { name: file.name, contentType: file.contentType, bytes: file.bytes, sha256: digest.digest('hex') }
    } catch (error) {
      const pause = pausesMs[attempt]
      if (!(error instanceof LineBroke) || pause === undefined) throw error
      await sleep(pause)
    }
  }
}

const put = (url: URL, token: string, file: Artefact, seen: (chunk: Buffer) => void): Promise<void> =>
  new Promise((resolve, reject) => {
    const send = url.protocol === 'https:' ? httpsRequest : httpRequest
    const request = send(url, {
      method: 'PUT',
      headers: {
        'content-type': file.contentType,
        'content-length': file.bytes,
        'content-disposition': `attachment; filename="${file.name}"`,
        [uploadTokenHeader]: token,
      },
      timeout: quietMs,
    })
    request.on('timeout', () => request.destroy(new Error(`nothing happened for ${quietMs / 1000} s`)))
    request.on('error', (error) => reject(new LineBroke(`upload failed: ${error.message}`)))
    request.on('response', (response) => {
      response.resume()
      const { statusCode = 0 } = response
      if (statusCode >= 200 && statusCode < 300) resolve()
      else reject(new Error(`upload refused with status ${statusCode}`))
    })
    const body = file.open()
    body.on('data', (chunk: Buffer) => seen(chunk))
    body.on('error', (error) => request.destroy(error))
    body.pipe(request)
  })
