import { activate, serialMax, serialNumber, success } from '@campanile/contract'
import { z } from 'zod'
import type { Membership } from './identity.ts'

const timeoutMs = 20_000
const reachMs = 10_000
const answer = z.object({ code: z.number(), message: z.string().nullish(), data: z.unknown() })
const taken = z.object({ username: z.string(), password: z.string(), mqttUrl: z.string() })

export type Join = (serverUrl: string, request: { sn: string; code: string; publicKey?: string }) => Promise<Membership>

/** The server has answered, and said no. */
export class NotTaken extends Error {
  override readonly name = 'NotTaken'
}

/** Where a server is, without what a person may have typed after it. */
export const baseOf = (serverUrl: string): string => serverUrl.replace(/\/+$/, '')

const ask = async (base: string, path: string, init: RequestInit): Promise<Response> =>
  // A code is worth a device: it goes to the server it was given for, nowhere else.
  fetch(`${base}${path}`, { ...init, redirect: 'manual' }).then(
    (response) => {
      const elsewhere = response.headers.get('location')
      if (response.status >= 300 && response.status < 400)
        throw new Error(`${base} leads to ${elsewhere ?? 'another address'}: name that one`)
      return response
    },
    (error: Error) => {
      const cause = error.cause as (Error & { code?: string; errors?: Error[] }) | undefined
      const why = cause?.message || cause?.errors?.[0]?.message || cause?.code || error.message
      throw new Error(`${base} does not answer: ${why}`)
    },
  )

/** Exchanges a one-time code for a credential. */
export const join: Join = async (serverUrl, { sn, code, publicKey }) => {
  if (!serialNumber.test(sn) || sn.length > serialMax)
    throw new Error(`"${sn}" is no serial number: letters, digits and - _ . : are allowed, ${serialMax} at most`)
  const base = baseOf(serverUrl)
  if (!/^https?:\/\/./.test(base)) throw new Error(`"${serverUrl}" is no address: it begins with https:// or http://`)
  const response = await ask(base, activate.path, {
    method: activate.method,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ sn, code, ...(publicKey ? { publicKey } : {}) }),
    signal: AbortSignal.timeout(timeoutMs),
  })
  const parsed = answer.safeParse(await response.json().catch(() => undefined))
  if (!parsed.success) throw new Error(`${base} is no Campanile server (status ${response.status})`)
  const { code: result, message, data } = parsed.data
  const credential = taken.safeParse(data).data
  if (result !== success || !credential)
    throw new NotTaken(`${base} refused: ${message || 'no reason given'} (${result})`)
  return { serverUrl: base, ...credential }
}

export type Reach = (serverUrl: string) => Promise<{ readonly time: number | undefined }>

const alive = z.object({ code: z.literal(success) })

/** Whether a Campanile server answers there, and what time it has; rejects with the reason why not. */
export const reach: Reach = async (serverUrl) => {
  const base = baseOf(serverUrl)
  const asked = performance.now()
  const response = await ask(base, '/healthz', {
    headers: { 'cache-control': 'no-cache' },
    signal: AbortSignal.timeout(reachMs),
  })
  const onWay = performance.now() - asked
  if (!alive.safeParse(await response.json().catch(() => undefined)).success)
    throw new Error(`${base} is no Campanile server (status ${response.status})`)
  const date = Date.parse(response.headers.get('date') ?? '')
  // The date says the second only, and is as old as half the way there and back.
  return { time: Number.isFinite(date) ? date + 500 + onWay / 2 : undefined }
}
