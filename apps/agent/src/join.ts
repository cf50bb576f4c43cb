import { randomBytes } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { activate, serialMax, serialNumber, success } from '@campanile/contract'
import { z } from 'zod'
import type { Membership } from './identity.ts'

const timeoutMs = 20_000
/** An answer that is lost is asked for again with the same key; the server gives it for ten minutes. */
const pausesMs = [1_000, 3_000, 10_000]
/** The server never heard of us, so there is nothing to ask again for. */
const unreached = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EHOSTUNREACH', 'ENETUNREACH'])
const answer = z.object({
  code: z.number(),
  message: z.string().optional(),
  data: z.object({ username: z.string(), password: z.string(), mqttUrl: z.string() }).optional(),
})

export type Join = (serverUrl: string, request: { sn: string; code: string; publicKey?: string }) => Promise<Membership>

const ask = async (url: string, body: string) => {
  const response = await fetch(url, {
    method: activate.method,
    headers: { 'content-type': 'application/json' },
    body,
    // A code is worth a device: it goes to the server it was given for, nowhere else.
    redirect: 'error',
    signal: AbortSignal.timeout(timeoutMs),
  })
  const text = await response.text()
  return { status: response.status, body: parseJson(text) }
}

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const reached = (error: unknown) =>
  !(
    error instanceof Error &&
    error.cause instanceof Error &&
    unreached.has((error.cause as { code?: string }).code ?? '')
  )

const askUntilAnswered = async (url: string, body: string) => {
  for (const pause of pausesMs) {
    try {
      const answered = await ask(url, body)
      if (answered.status < 500) return answered
    } catch (error) {
      if (!reached(error)) throw error
    }
    await setTimeout(pause)
  }
  return ask(url, body)
}

/** Exchanges a one-time code for a credential. */
export const join: Join = async (serverUrl, { sn, code, publicKey }) => {
  if (!serialNumber.test(sn) || sn.length > serialMax)
    throw new Error(`"${sn}" is no serial number: letters, digits and - _ . : are allowed, ${serialMax} at most`)
  const base = serverUrl.replace(/\/+$/, '')
  const key = randomBytes(24).toString('base64url')
  const body = JSON.stringify({ sn, code, key, ...(publicKey ? { publicKey } : {}) })
  const response = await askUntilAnswered(`${base}${activate.path}`, body).catch((error: Error) => {
    throw new Error(`${base} does not answer: ${error.cause instanceof Error ? error.cause.message : error.message}`)
  })
  const parsed = answer.safeParse(response.body)
  if (!parsed.success) throw new Error(`${base} is no Campanile server (status ${response.status})`)
  const { code: result, message, data } = parsed.data
  if (result !== success || !data) throw new Error(`${base} refused: ${message || 'no reason given'} (${result})`)
  return { serverUrl: base, username: data.username, password: data.password, mqttUrl: data.mqttUrl }
}
