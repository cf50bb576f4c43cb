import { z } from 'zod'
import { defineEndpoint, fileAnswer, idInQuery } from '../kit/index.ts'
import { poster } from './poster.resource.ts'

/** The picture of a poster; `ETag` is its SHA-256. */
export const downloadPoster = defineEndpoint({
  name: 'downloadPoster',
  method: 'GET',
  path: '/api/v3/device/sliders/download',
  perm: 'slider:list:list',
  scope: 'organisation',
  input: z.strictObject({ id: idInQuery(() => poster) }),
  answer: fileAnswer,
})

export const posterEndpoints = [downloadPoster]
