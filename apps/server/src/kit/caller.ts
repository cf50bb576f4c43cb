import type { FastifyRequest } from 'fastify'
import type { Caller, Language } from './call.ts'

const languageOf = (header: string | undefined): Language => {
  const wanted = header?.split(',')[0]?.trim().toLowerCase() ?? ''
  if (/^zh-(tw|hk|mo|hant)/.test(wanted)) return 'zh-TW'
  return wanted.startsWith('zh') ? 'zh-CN' : 'en'
}

/**
 * `::ffff:10.0.0.1` and `fe80::1%eth0` are the same machines as `10.0.0.1` and `fe80::1`; some proxies add the port,
 * as in `10.0.0.1:5000` and `[fe80::1]:5000`.
 */
const plainAddress = (ip: string) =>
  ip
    .replace(/^\[(.*)\](:\d+)?$/, '$1')
    .replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, '$1')
    .replace(/^::ffff:(?=\d+\.)/i, '')
    .replace(/%.*$/, '')
    .toLowerCase()

/** A name or an address, and perhaps a port: what a link can be made of. */
const plainHost = /^(\[[0-9a-f:.]{2,45}\]|[a-z0-9_]([a-z0-9._-]{0,251}[a-z0-9_])?)(:\d{1,5})?$/i
/** By which name the caller reached us; where that is none, the address it did. */
const hostOf = ({ host, socket }: FastifyRequest): string => {
  if (plainHost.test(host) && URL.canParse(`http://${host}`)) return host
  const address = plainAddress(socket.localAddress ?? '') || 'localhost'
  return `${address.includes(':') ? `[${address}]` : address}:${socket.localPort ?? 80}`
}

export const callerOf = (request: FastifyRequest): Caller => ({
  ip: plainAddress(request.ip),
  passedOn: request.headers['x-forwarded-for'] !== undefined || request.headers.forwarded !== undefined,
  host: request.host,
  userAgent: request.headers['user-agent'] ?? '',
  language: languageOf(request.headers['accept-language']),
  origin: `${request.protocol}://${hostOf(request)}`,
})
