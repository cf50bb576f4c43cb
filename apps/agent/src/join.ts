import { activate, serialMax, serialNumber, success } from '@campanile/contract'
import { z } from 'zod'
import type { Membership } from './identity.ts'

const timeoutMs = 20_000
const answer = z.object({
  code: z.number(),
  message: z.string().optional(),
  data: z.object({ username: z.string(), password: z.string(), mqttUrl: z.string() }).optional(),
})

export type Join = (serverUrl: string, request: { sn: string; code: string; publicKey?: string }) => Promise<Membership>

/** Exchanges a one-time code for a credential. */
export const join: Join = async (serverUrl, { sn, code, publicKey }) => {
  if (!serialNumber.test(sn) || sn.length > serialMax)
    throw new Error(`"${sn}" is no serial number: letters, digits and - _ . : are allowed, ${serialMax} at most`)
  const base = serverUrl.replace(/\/+$/, '')
  const response = await fetch(`${base}${activate.path}`, {
    method: activate.method,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ sn, code, ...(publicKey ? { publicKey } : {}) }),
    // A code is worth a device: it goes to the server it was given for, nowhere else.
    redirect: 'error',
    signal: AbortSignal.timeout(timeoutMs),
  }).catch((error: Error) => {
    throw new Error(`${base} does not answer: ${error.cause instanceof Error ? error.cause.message : error.message}`)
  })
  const parsed = answer.safeParse(await response.json().catch(() => undefined))
  if (!parsed.success) throw new Error(`${base} is no Campanile server (status ${response.status})`)
  const { code: result, message, data } = parsed.data
  if (result !== success || !data) throw new Error(`${base} refused: ${message || 'no reason given'} (${result})`)
  return { serverUrl: base, username: data.username, password: data.password, mqttUrl: data.mqttUrl }
}
