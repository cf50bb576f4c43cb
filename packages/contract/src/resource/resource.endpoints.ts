import { z } from 'zod'
import { defineEndpoint, fileAnswer, idInQuery } from '../kit/index.ts'
import { customResource } from './custom-resource.resource.ts'

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

export const resourceEndpoints = [downloadResource]
