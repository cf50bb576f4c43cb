import { z } from 'zod'
import { fileErrors } from '../file/file.errors.ts'
import { defineEndpoint, fileAnswer, idInQuery, idOf } from '../kit/index.ts'
import { createRelease, releaseOrder } from '../release/release.endpoints.ts'
import { customResource } from './custom-resource.resource.ts'
import { resourceRelease } from './resource.release.ts'

/** The file of a resource; ranges are understood, `ETag` is its SHA-256. */
export const downloadResource = defineEndpoint({
  name: 'downloadResource',
  method: 'GET',
  path: '/api/v3/device/rcm/resource/download',
  perm: 'custom:resource:list',
  scope: 'organisation',
  personal: true,
  input: z.strictObject({ id: idInQuery(() => customResource) }),
  answer: fileAnswer,
})

/** An address at which whoever has it fetches the file, without signing in, for a day. */
export const linkResource = defineEndpoint({
  name: 'linkResource',
  method: 'GET',
  path: '/api/v3/device/rcm/resource/link',
  perm: 'custom:resource:list',
  scope: 'organisation',
  personal: true,
  input: z.strictObject({ id: idInQuery(() => customResource) }),
  answer: z.object({ url: z.string(), until: z.string() }),
})

const { kind: _kind, itemId: _itemId, given: _given, ...order } = releaseOrder
/** As `createRelease` does for this kind, with the folder beside the rest. */
export const releaseResource = defineEndpoint({
  name: 'releaseResource',
  method: 'POST',
  path: '/api/v3/device/rcm/release/create',
  perm: 'custom:release:add',
  scope: 'organisation',
  heavy: true,
  faults: { path: { wrong: fileErrors.pathWrong.code } },
  input: z.strictObject({
    ...order,
    resourceId: idOf(() => customResource),
    path: resourceRelease.fields.path.schema.optional(),
    partly: z.boolean().optional(),
    description: z.string().trim().max(256).optional(),
  }),
  answer: createRelease.answer,
})

export const resourceEndpoints = [downloadResource, linkResource, releaseResource]
