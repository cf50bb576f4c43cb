import { z } from 'zod'
import { defineEndpoint, fileAnswer, idInQuery } from '../kit/index.ts'

export const downloadFile = defineEndpoint({
  name: 'downloadFile',
  method: 'GET',
  path: '/api/v1/exportFileLogs/download',
  perm: 'iot:files:download',
  scope: 'organisation',
  personal: true,
  input: z.strictObject({ id: idInQuery('exportFile') }),
  answer: fileAnswer,
})

export const downloadEndpoints = [downloadFile]
