import { firmware } from '@campanile/contract'
import { expect } from 'vitest'
import { uploadWhole } from '../test/uploads.ts'
import type { Enterprise, Person, World } from '../test/world.ts'
import { furnishRelease } from './furnish-releases.ts'

type Owner = Pick<Enterprise, 'word' | 'id' | 'shop' | 'admin'>

/** A package of firmware that was released: what it is stands in the name of its file, which no walker could make up. */
export const furnishFirmware = async (world: Pick<World, 'db'>, person: Person, owner: Owner) => {
  const { word, id: departmentId } = owner
  const name = `${word}_4G_10_3.2.0_1.img`
  const { id: uploadId } = await uploadWhole(person, Buffer.from(`${word} firmware`), name, 'firmware')
  const made = await person.post(`${firmware.wire.path}/create`, { uploadId, type: 'full', departmentId })
  expect(made.code).toBe(100000)
  const firmwareId = Number(made.data.id)
  const about = { kind: 'firmware', item: firmwareId, name, action: 'upgrade' }
  const { release, device } = await furnishRelease(world, owner, about)
  return { firmware: firmwareId, otaHistory: release, otaResult: device, otaStatistic: firmwareId }
}
