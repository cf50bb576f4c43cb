import type { FastifyRequest } from 'fastify'
import { plainAddress } from '../platform/address.ts'
import type { Caller, Language } from './call.ts'

const languageOf = (header: string | undefined): Language => {
  const wanted = header?.split(',')[0]?.trim().toLowerCase() ?? ''
  if (/^zh-(tw|hk|mo|hant)/.test(wanted)) return 'zh-TW'
  return wanted.startsWith('zh') ? 'zh-CN' : 'en'
}

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
  host: hostOf(request),
  userAgent: request.headers['user-agent'] ?? '',
  language: languageOf(request.headers['accept-language']),
  origin: `${request.protocol}://${hostOf(request)}`,
})
