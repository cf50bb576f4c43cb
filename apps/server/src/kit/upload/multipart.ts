import { AppError, commonErrors } from '@campanile/contract'

const mostParts = 12
const mostHeaderBytes = 8 * 1024
/** What a body weighs beside its file: the lines between its parts, and a few small fields. */
export const partsOverhead = 64 * 1024

const unreadable = () => new AppError(commonErrors.unreadableBody)

const boundaryOf = (contentType: string): string => {
  const [, quoted, plain] = /;\s*boundary=(?:"([^"\r\n]{1,70})"|([^\s";,]{1,70}))/i.exec(contentType) ?? []
  const boundary = quoted ?? plain
  if (!boundary) throw unreadable()
  return boundary
}

/** The value of `name="…"` or `name=…`; as browsers write it, a quote inside is `%22`. */
const parameterOf = (disposition: string, name: string): string | undefined => {
  const [, quoted, plain] = new RegExp(`;\\s*${name}=(?:"([^"]*)"|([^\\s";]+))`, 'i').exec(disposition) ?? []
  return quoted ?? plain
}

interface Part {
  readonly name: string | undefined
  readonly isFile: boolean
  readonly content: Buffer
}

const partOf = (raw: Buffer): Part => {
  // Without headers a part begins with the blank line itself.
  const blank = raw.indexOf('\r\n\r\n')
  if (blank < 0 || blank > mostHeaderBytes) throw unreadable()
  const headers = raw.subarray(0, blank).toString('utf8').split('\r\n')
  const disposition = headers.find((line) => /^content-disposition:\s*form-data/i.test(line))
  if (disposition === undefined) throw unreadable()
  return {
    name: parameterOf(disposition, 'name'),
    isFile: parameterOf(disposition, 'filename\\*?') !== undefined,
    content: raw.subarray(blank + 4),
  }
}

/** RFC 2046: each part stands between two lines that begin with the boundary; the last of them ends with two dashes. */
const partsOf = (body: Buffer, boundary: string): Part[] => {
  const parts: Part[] = []
  const line = Buffer.from(`\r\n--${boundary}`)
  const first = line.subarray(2)
  let at = body.indexOf(first)
  if (at < 0 || (at > 0 && body.subarray(at - 2, at).toString('latin1') !== '\r\n')) throw unreadable()
  at += first.length
  for (;;) {
    const ending = body.subarray(at, at + 2).toString('latin1')
    if (ending === '--') return parts
    const next = body.indexOf(line, at)
    if (ending !== '\r\n' || next < 0 || parts.length === mostParts) throw unreadable()
    parts.push(partOf(body.subarray(at + 2, next)))
    at = next + line.length
  }
}

/**
 * The one file of a multipart body (field `file`). The body is whole when it comes here, so this reads it once from front
 * to end and is done, whatever somebody made of it.
 */
export const fileOf = (body: Buffer, contentType: string): Buffer => {
  const files = partsOf(body, boundaryOf(contentType)).filter(({ isFile }) => isFile)
  if (files.length > 1) throw unreadable()
  const [file] = files
  if (file?.name !== 'file') throw new AppError({ ...commonErrors.missingParameter, field: 'file' }, { field: 'file' })
  return file.content
}
