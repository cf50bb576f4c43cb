import { z } from 'zod'
import { defineEndpoint, fileAnswer, idInQuery, idOf } from '../kit/index.ts'
import { createRelease, releaseOrder } from '../release/release.endpoints.ts'
import { firmware } from './firmware.resource.ts'

/** The file of a package; ranges are understood, `ETag` is its SHA-256. */
export const downloadFirmware = defineEndpoint({
  name: 'downloadFirmware',
  method: 'GET',
  path: '/api/v3/device/ota/packages/download',
  perm: 'iot:ota:download',
  scope: 'organisation',
  personal: true,
  input: z.strictObject({ id: idInQuery(() => firmware) }),
  answer: fileAnswer,
})

const { kind: _kind, itemId: _itemId, ...order } = releaseOrder
/** As `createRelease` does for this kind; of an offline release one entry only. */
export const releaseFirmware = defineEndpoint({
  name: 'releaseFirmware',
  method: 'POST',
  path: '/api/v3/device/ota/packages/release',
  perm: 'iot:ota:release',
  scope: 'organisation',
  heavy: true,
  input: z.strictObject({
    ...order,
    id: idOf(() => firmware),
    partly: z.boolean().optional(),
    description: z.string().trim().max(256).optional(),
  }),
  answer: createRelease.answer,
})

export const firmwareEndpoints = [downloadFirmware, releaseFirmware]
