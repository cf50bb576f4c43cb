import type { FastifyRequest } from 'fastify'
import { plainAddress } from '../platform/address.ts'
import type { Caller, Language } from './call.ts'

const languageOf = (header: string | undefined): Language => {
  const wanted = header?.split(',')[0]?.trim().toLowerCase() ?? ''
  if (/^zh-(tw|hk|mo|hant)/.test(wanted)) return 'zh-TW'
  return wanted.startsWith('zh') ? 'zh-CN' : 'en'
}

export const callerOf = (request: FastifyRequest): Caller => ({
  ip: plainAddress(request.ip),
  passedOn: request.headers['x-forwarded-for'] !== undefined || request.headers.forwarded !== undefined,
  host: request.host,
  userAgent: request.headers['user-agent'] ?? '',
  language: languageOf(request.headers['accept-language']),
  origin: `${request.protocol}://${request.host}`,
})
