import type { Socket } from 'node:net'
import { commonErrors } from '@campanile/contract'
import type { ConnectionError } from 'fastify'
import { errorText } from '../platform/texts.ts'

/** By what Node calls it; anything else is no HTTP. */
const answers: Readonly<Record<string, { status: string; code: number }>> = {
  HPE_HEADER_OVERFLOW: { status: '431 Request Header Fields Too Large', code: commonErrors.bodyTooLarge.code },
  ERR_HTTP_REQUEST_TIMEOUT: { status: '408 Request Timeout', code: commonErrors.unreadableBody.code },
}
const noHttp = { status: '400 Bad Request', code: commonErrors.unreadableBody.code }

/** What never became a request (an address or headers too long, no HTTP) is answered in the same shape as all else. */
export const refuseUnreadable = (error: ConnectionError, socket: Socket) => {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
  const { status, code } = answers[error.code ?? ''] ?? noHttp
  const body = JSON.stringify({ code, message: errorText(code, 'en'), data: {} })
  socket.end(
    `HTTP/1.1 ${status}\r\nContent-Type: application/json; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  )
}
