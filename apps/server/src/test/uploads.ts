import { createHash } from 'node:crypto'
import type { UploadPurposeName, UploadView } from '@campanile/contract'
import type { Person, World } from './world.ts'

const digest = (kind: 'md5' | 'sha256', bytes: Buffer) => createHash(kind).update(bytes).digest('hex')

/** Sends a file as a browser does it: announced, in parts, ended. Answers the upload that a form then names. */
export const sendInParts = async (
  world: Pick<World, 'app'>,
  who: Person,
  purpose: UploadPurposeName,
  { name, content }: { readonly name: string; readonly content: Buffer },
): Promise<number> => {
  const announced = { purpose, name, size: content.length, sha256: digest('sha256', content) }
  const begun = await who.post('/api/v3/file/upload/begin', announced)
  if (begun.code !== 100000) throw new Error(`${name} was not taken: ${begun.code}`)
  const { id, state, chunkSize, chunkCount } = begun.data as unknown as UploadView
  if (state === 'complete') return id
  for (let part = 0; part < chunkCount; part += 1) {
    const bytes = content.subarray(part * chunkSize, (part + 1) * chunkSize)
    const response = await world.app.inject({
      method: 'PUT',
      url: `/api/v3/file/upload/part?id=${id}&part=${part}&md5=${digest('md5', bytes)}`,
      payload: bytes,
      headers: { 'content-type': 'application/octet-stream', sessionid: who.token },
    })
    if (response.json().code !== 100000) throw new Error(`part ${part} of ${name} was not taken: ${response.body}`)
  }
  const ended = await who.post('/api/v3/file/upload/finish', { id })
  if (ended.code !== 100000) throw new Error(`${name} was not ended: ${ended.code}`)
  return id
}
