import { lookup as resolve } from 'node:dns'
import { request as requestPlain } from 'node:http'
import { request as requestTls } from 'node:https'
import type { LookupFunction } from 'node:net'
import { isPublicAddress, isPublicIp } from './outbound-url.ts'

/** The address leads into a network that is not the world's. */
export class PrivateAddress extends Error {
  override readonly name = 'PrivateAddress'
}

/** Looked up once, and the connection goes to what was looked at: a second answer from DNS has no chance. */
const publicOnly: LookupFunction = (hostname, options, done) =>
  resolve(hostname, { ...options, all: true }, (error, addresses) => {
    if (error) return done(error, [])
    if (!addresses.every(({ address }) => isPublicIp(address))) return done(new PrivateAddress(hostname), [])
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
  if (!allowPrivate && !isPublicAddress(address)) throw new PrivateAddress(url.hostname)
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
