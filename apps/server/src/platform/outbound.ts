import { lookup as resolve } from 'node:dns'
import { request as requestPlain } from 'node:http'
import { request as requestTls } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import ipaddr from 'ipaddr.js'

/** The address leads into a network that is not the world's. */
export class PrivateAddress extends Error {
  override readonly name = 'PrivateAddress'
}

/** Everything that is not a plain public address: loopback, private, link-local, shared, mapped, translated, reserved. */
export const isPublicAddress = (ip: string): boolean => ipaddr.isValid(ip) && ipaddr.process(ip).range() === 'unicast'

/** Looked up once, and the connection goes to what was looked at: a second answer from DNS has no chance. */
const publicOnly: LookupFunction = (hostname, options, done) =>
  resolve(hostname, { ...options, all: true }, (error, addresses) => {
    if (error) return done(error, [])
    if (!addresses.every(({ address }) => isPublicAddress(address))) return done(new PrivateAddress(hostname), [])
    const [first] = addresses
    return options.all ? done(null, addresses) : done(null, first?.address ?? '', first?.family)
  })

/** Posts JSON to a server somebody configured; follows no redirect, waits no longer than it is told. */
export const postJson = async (
  address: string,
  body: unknown,
  { timeoutMs, allowPrivate }: { readonly timeoutMs: number; readonly allowPrivate: boolean },
): Promise<number> => {
  const url = new URL(address)
  const host = url.hostname.replace(/^\[|\]$/g, '')
  if (!allowPrivate && isIP(host) && !isPublicAddress(host)) throw new PrivateAddress(host)
  const text = JSON.stringify(body)
  const send = url.protocol === 'https:' ? requestTls : requestPlain
  return new Promise((answered, failed) => {
    const request = send(
      url,
      {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) },
        signal: AbortSignal.timeout(timeoutMs),
        agent: false,
        ...(allowPrivate ? {} : { lookup: publicOnly }),
      },
      (response) => {
        response.resume()
        answered(response.statusCode ?? 0)
      },
    )
    request.on('error', failed)
    request.end(text)
  })
}
