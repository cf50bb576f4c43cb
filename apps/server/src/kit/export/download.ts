import type { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'

/** What a file of this name is. Devices send pictures and logs; what could run in a browser is not among them. */
const types: Record<string, string> = {
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  csv: 'text/csv; charset=utf-8',
  png: 'image/png',
  jpg: 'image/jpeg',
  txt: 'text/plain',
  log: 'text/plain',
  zip: 'application/zip',
  gz: 'application/gzip',
}

/** RFC 6266: an ASCII shadow for old clients, the real name in UTF-8. Nothing in a name can end the header. */
const disposition = (name: string) => {
  const shadow = name.replace(/[^\x20-\x7e]|["\\%]/g, '_')
  const encoded = encodeURIComponent(name).replace(
    /['()*]/g,
    (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `attachment; filename="${shadow}"; filename*=UTF-8''${encoded}`
}

/** A file to be saved, never shown: whatever is inside, the browser runs none of it. */
export const asAttachment = (reply: FastifyReply, name: string): FastifyReply => {
  const extension = /\.(\w+)$/.exec(name)?.[1]?.toLowerCase() ?? ''
  return (
    reply
      .header('content-type', types[extension] ?? 'application/octet-stream')
      .header('content-disposition', disposition(name))
      .header('x-content-type-options', 'nosniff')
      .header('content-security-policy', "sandbox; default-src 'none'")
      .header('cache-control', 'private, no-store')
      // The console reads these two (behaviour: api.files).
      .header('fileName', encodeURIComponent(name))
      .header('timestamp', String(Date.now()))
  )
}

export const attachment = (
  reply: FastifyReply,
  name: string,
  { stream, size }: { stream: Readable; size?: number },
): FastifyReply =>
  asAttachment(reply, name)
    .headers(size === undefined ? {} : { 'content-length': size })
    .send(stream)
