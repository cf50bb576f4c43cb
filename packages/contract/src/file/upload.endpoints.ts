import { z } from 'zod'
import { defineEndpoint, done, fileAnswer, fileName, idInQuery, idOf } from '../kit/index.ts'
import { fileErrors } from './file.errors.ts'
import { uploadPurpose, uploadPurposeNames } from './upload.purposes.ts'

/** What one part weighs; the last one is what is left. Whoever sends learns it from `begin`. */
export const uploadPartBytes = 8 * 1024 * 1024
/** One person's uploads that may be under way. */
export const uploadsUnderWay = 20
/** An upload that nobody touches is forgotten after this, and its space given back. */
export const uploadKeptHours = 24
/** A link that devices fetch a file by is good for at most this long. */
export const linkMaxSeconds = 24 * 3600

const sha256 = z
  .string()
  .regex(/^[0-9a-f]{64}$/i)
  .toLowerCase()
const count = z.number().int()

/** An upload as its owner sees it. */
export const uploadView = z
  .object({
    id: count,
    purpose: z.enum(uploadPurposeNames),
    name: z.string(),
    size: count,
    sha256: z.string(),
    state: z.enum(['uploading', 'complete']),
    /** The enterprise had these bytes already: nothing has to be sent. */
    instant: z.boolean(),
    chunkSize: count,
    chunkCount: count,
    /** Parts that have arrived, counted from 0. */
    received: z.array(count),
  })
  .meta({ id: 'Upload' })
export type UploadView = z.output<typeof uploadView>

const mine = { perm: 'signedIn', scope: 'self' } as const

/** Announces a file. The same file of the same person that is still under way goes on where it stopped. */
export const beginUpload = defineEndpoint({
  name: 'beginUpload',
  method: 'POST',
  path: '/api/v3/file/upload/begin',
  ...mine,
  permOf: ({ purpose }) => uploadPurpose(String(purpose))?.perm,
  input: z.strictObject({
    purpose: z.enum(uploadPurposeNames),
    name: fileName,
    size: z.number().int().min(1),
    sha256,
  }),
  answer: uploadView,
})

export const uploadInfo = defineEndpoint({
  name: 'uploadInfo',
  method: 'GET',
  path: '/api/v3/file/upload/info',
  ...mine,
  input: z.strictObject({ id: idInQuery('upload') }),
  answer: uploadView,
})

/** One's own that are under way: what a page that was loaded anew goes on with. */
export const pendingUploads = defineEndpoint({
  name: 'pendingUploads',
  method: 'GET',
  path: '/api/v3/file/upload/pending',
  ...mine,
  input: z.strictObject({}),
  answer: z.object({ uploads: z.array(uploadView) }),
})

/** The body is the part and nothing else. A part that has arrived before is taken again quietly. */
export const sendUploadPart = defineEndpoint({
  name: 'sendUploadPart',
  method: 'PUT',
  path: '/api/v3/file/upload/part',
  ...mine,
  // Hundreds of them are one file, which has its line when it is whole.
  quiet: true,
  upload: { maxBytes: uploadPartBytes, raw: true },
  faults: { part: { wrong: fileErrors.partWrong.code } },
  input: z.strictObject({
    id: idInQuery('upload'),
    part: z.coerce.number<string | number>().int().min(0).max(1_000_000),
    md5: z
      .string()
      .regex(/^[0-9a-f]{32}$/i)
      .toLowerCase(),
  }),
  answer: z.object({ received: z.array(count) }),
})

/** Makes one file of the parts. Asked twice, also at the same time, it answers twice the same. */
export const finishUpload = defineEndpoint({
  name: 'finishUpload',
  method: 'POST',
  path: '/api/v3/file/upload/finish',
  ...mine,
  heavy: true,
  input: z.strictObject({ id: idOf('upload') }),
  answer: uploadView,
})

export const cancelUpload = defineEndpoint({
  name: 'cancelUpload',
  method: 'DELETE',
  path: '/api/v3/file/upload/cancel',
  ...mine,
  input: z.strictObject({ id: idInQuery('upload') }),
  answer: done,
})

/**
 * Where a device fetches what it was told to. Who may is told by the link itself: `until` is the second it ends (Unix time),
 * `sig` proves that this server made it. Ranges and `If-Range` are understood, `ETag` is the SHA-256.
 */
export const deviceDownload = defineEndpoint({
  name: 'deviceDownload',
  method: 'GET',
  path: '/device/v1/download/:id',
  perm: 'public',
  scope: 'public',
  input: z.strictObject({
    id: z.string().max(32),
    until: z.string().max(16).optional(),
    sig: z.string().max(128).optional(),
  }),
  answer: fileAnswer,
})

export const filePartEndpoints = [
  beginUpload,
  uploadInfo,
  pendingUploads,
  sendUploadPart,
  finishUpload,
  cancelUpload,
  deviceDownload,
]
