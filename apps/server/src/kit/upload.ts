import { AppError, fileErrors, gatewayErrors } from '@campanile/contract'
import type { FastifyRequest } from 'fastify'

const megabytes = (bytes: number) => `${Math.round(bytes / 1024 ** 2)} MB`

/** The one file of a multipart body (field `file`), in memory: only for what is small. */
export const uploadedFile = async (request: FastifyRequest, maxBytes: number): Promise<Buffer> => {
  const part = request.isMultipart() ? await request.file({ limits: { fileSize: maxBytes } }) : undefined
  if (part?.fieldname !== 'file')
    throw new AppError({ ...gatewayErrors.missingParameter, field: 'file' }, { field: 'file' })
  return part.toBuffer().catch((error: { statusCode?: number }) => {
    throw error.statusCode === 413 ? new AppError(fileErrors.fileTooLarge, { limit: megabytes(maxBytes) }) : error
  })
}
