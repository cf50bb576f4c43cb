import { createHash } from 'node:crypto'
import { beginUpload, finishUpload, sendUploadPart, type UploadView } from '@campanile/contract'
import type { Answer } from './app.ts'
import type { Person } from './world.ts'

type Told = Answer<UploadView & Record<string, unknown>>

export const sha256Of = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')
export const md5Of = (bytes: Buffer) => createHash('md5').update(bytes).digest('hex')

export const announce = (person: Person, bytes: Buffer, about: Readonly<Record<string, unknown>> = {}) =>
  person.post(beginUpload.path, {
    purpose: 'resource',
    name: 'file.bin',
    size: bytes.length,
    sha256: sha256Of(bytes),
    ...about,
  }) as Promise<Told>

/** One part as a browser sends it. */
export const sendPart = (
  person: Person,
  { id, part, md5 }: { id: number; part: number | string; md5?: string },
  bytes: Buffer,
): Promise<Answer> => {
  const query = new URLSearchParams({ id: String(id), part: String(part), md5: md5 ?? md5Of(bytes) })
  return person.putBytes(`${sendUploadPart.path}?${query}`, bytes)
}

export const partsOf = (bytes: Buffer, chunkSize: number) =>
  Array.from({ length: Math.ceil(bytes.length / chunkSize) }, (_, part) => ({
    part,
    bytes: bytes.subarray(part * chunkSize, (part + 1) * chunkSize),
  }))

export const finish = (person: Person, id: number) => person.post(finishUpload.path, { id }) as Promise<Told>

/** The whole way of a file; answers the upload, complete. */
export const uploadWhole = async (person: Person, bytes: Buffer, name = 'file.bin', purpose = 'resource') => {
  const { data } = await announce(person, bytes, { name, purpose })
  if (data.state === 'uploading')
    await Promise.all(
      partsOf(bytes, data.chunkSize).map((each) => sendPart(person, { id: data.id, part: each.part }, each.bytes)),
    )
  const { data: done, code } = await finish(person, data.id)
  if (code !== 100000) throw new Error(`the upload was refused: ${code}`)
  return { ...done, instant: data.instant }
}
