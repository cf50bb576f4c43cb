import { createHash } from 'node:crypto'
import { beginUpload, finishUpload, sendUploadPart, type UploadView } from '@campanile/contract'
import type { Answer } from '../../test/app.ts'
import type { Person, World } from '../../test/world.ts'

type Server = Pick<World, 'app'>

export const sha256Of = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')
export const md5Of = (bytes: Buffer) => createHash('md5').update(bytes).digest('hex')

export const announce = (person: Person, bytes: Buffer, about: Readonly<Record<string, unknown>> = {}) =>
  person.post(beginUpload.path, {
    purpose: 'resource',
    name: 'file.bin',
    size: bytes.length,
    sha256: sha256Of(bytes),
    ...about,
  }) as Promise<Answer<UploadView & Record<string, unknown>>>

/** One part as a browser sends it. */
export const sendPart = async (
  { app }: Server,
  { token }: Person,
  about: { id: number; part: number | string; md5?: string },
  bytes: Buffer,
): Promise<Answer> => {
  const md5 = about.md5 ?? md5Of(bytes)
  const response = await app.inject({
    method: 'PUT',
    url: `${sendUploadPart.path}?${new URLSearchParams({ id: String(about.id), part: String(about.part), md5 })}`,
    headers: { sessionid: token, 'content-type': 'application/octet-stream' },
    payload: bytes,
  })
  return { status: response.statusCode, ...(JSON.parse(response.body) as Omit<Answer, 'status'>) }
}

export const partsOf = (bytes: Buffer, chunkSize: number) =>
  Array.from({ length: Math.ceil(bytes.length / chunkSize) }, (_, part) => ({
    part,
    bytes: bytes.subarray(part * chunkSize, (part + 1) * chunkSize),
  }))

export const finish = (person: Person, id: number) =>
  person.post(finishUpload.path, { id }) as Promise<Answer<UploadView & Record<string, unknown>>>

/** The whole way of a file; answers the upload, complete. */
export const uploadWhole = async (server: Server, person: Person, bytes: Buffer, name = 'file.bin') => {
  const { data } = await announce(person, bytes, { name })
  if (data.state === 'uploading')
    await Promise.all(
      partsOf(bytes, data.chunkSize).map((each) =>
        sendPart(server, person, { id: data.id, part: each.part }, each.bytes),
      ),
    )
  const { data: done, code } = await finish(person, data.id)
  if (code !== 100000) throw new Error(`the upload was refused: ${code}`)
  return { ...done, instant: data.instant }
}
