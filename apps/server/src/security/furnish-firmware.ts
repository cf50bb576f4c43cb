import { firmware } from '@campanile/contract'
import { expect } from 'vitest'
import { uploadWhole } from '../test/uploads.ts'
import type { Person } from '../test/world.ts'

/** A package of firmware: what it is stands in the name of its file, which no walker could make up. */
export const furnishFirmware = async (person: Person, word: string, departmentId: number) => {
  const name = `${word}_4G_10_3.2.0_1.img`
  const { id: uploadId } = await uploadWhole(person, Buffer.from(`${word} firmware`), name, 'firmware')
  const made = await person.post(`${firmware.wire.path}/create`, { uploadId, type: 'full', departmentId })
  expect(made.code).toBe(100000)
  return { firmware: Number(made.data.id) }
}
