import { AppError, identityErrors } from '@campanile/contract'
import type { FastifyRequest } from 'fastify'

/** Names under which people send what proves who they are. */
const credentials = new Set(
  [
    ['password', 'oldpassword', 'newpassword', 'confirmpassword', 'passwd', 'pwd', 'secret', 'clientsecret'],
    ['token', 'accesstoken', 'refreshtoken', 'idtoken', 'jwt', 'apikey', 'authorization', 'sessionid', 'session'],
    ['code', 'smscode', 'otp', 'totp', 'recoverycode', 'ticket'],
  ].flat(),
)

/** A browser cannot send a header with a socket: this ticket is spent by the first use and lasts seconds. */
const socketAddress = '/api/live'

/**
 * An address stands in the logs of proxies, in histories and behind "Referer". What proves who somebody is does not
 * belong there, so it is refused instead of overlooked: whoever built such a client learns it on the first call.
 */
export const refuseCredentialsInAddress = async (request: FastifyRequest): Promise<void> => {
  const [path] = request.url.split('?')
  if (!path?.startsWith('/api/') || path === socketAddress) return
  for (const given of Object.keys(request.query as object)) {
    const name = given.toLowerCase().replace(/[^a-z]/g, '')
    if (credentials.has(name)) throw new AppError(identityErrors.credentialInAddress, { name })
  }
}
