import { createHash, randomBytes } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { activate, releaseKey, serialMax, serialNumber, success } from '@campanile/contract'
import { z } from 'zod'
import { type Membership, publicKeyOf } from './identity.ts'

const timeoutMs = 20_000
const reachMs = 10_000
/** An answer that is lost is asked for again with the same key; the server gives it for ten minutes. */
const pausesMs = [1_000, 3_000, 10_000]
/** The server never heard of us, so there is nothing to ask again for. */
const unreached = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EHOSTUNREACH', 'ENETUNREACH'])
const answer = z.object({ code: z.number(), message: z.string().nullish(), data: z.unknown() })
const key = z.object({ releaseKey: z.string() })
const taken = key.partial().extend({ username: z.string(), password: z.string(), mqttUrl: z.string() })

export type Join = (
  serverUrl: string,
  request: { sn: string; code: string; privateKey?: string | undefined },
) => Promise<Membership>

/** The server has answered, and said no. */
export class NotTaken extends Error {
  override readonly name = 'NotTaken'
}

/** Nobody answered. `heard`: the server may have got the question all the same. */
class NoAnswer extends Error {
  override readonly name = 'NoAnswer'
  readonly heard: boolean
  constructor(message: string, heard: boolean) {
    super(message)
    this.heard = heard
  }
}

/** Where a server is, without what a person may have typed after it. */
export const baseOf = (serverUrl: string): string => serverUrl.replace(/\/+$/, '')

const ask = async (base: string, path: string, init: RequestInit): Promise<{ response: Response; body: unknown }> => {
  try {
    // A code is worth a device: it goes to the server it was given for, nowhere else.
    const response = await fetch(`${base}${path}`, { ...init, redirect: 'manual' })
    return { response, body: parseJson(await response.text()) }
  } catch (error) {
    const { cause, message } = error as Error & { cause?: Error & { code?: string; errors?: Error[] } }
    const why = cause?.message || cause?.errors?.[0]?.message || cause?.code || message
    throw new NoAnswer(`${base} does not answer: ${why}`, !unreached.has(cause?.code ?? ''))
  }
}

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const refuseRedirect = (base: string, { status, headers }: Response) => {
  if (status >= 300 && status < 400)
    throw new Error(`${base} leads to ${headers.get('location') ?? 'another address'}: name that one`)
}

const activateUntilAnswered = async (base: string, body: string) => {
  const once = () =>
    ask(base, activate.path, {
      method: activate.method,
      headers: { 'content-type': 'application/json' },
      body,
      signal: AbortSignal.timeout(timeoutMs),
    })
  for (const pause of pausesMs) {
    try {
      const answered = await once()
      if (answered.response.status < 500) return answered
    } catch (error) {
      if (!(error instanceof NoAnswer && error.heard)) throw error
    }
    await setTimeout(pause)
  }
  return once()
}

/** A secret that is the same whenever the same device asks with the same code, also after it was ended in between. */
const keyOf = (code: string, privateKey: string | undefined) =>
  privateKey
    ? createHash('sha256').update(`activation ${code} ${privateKey}`).digest('base64url')
    : randomBytes(32).toString('base64url')

/** Exchanges a one-time code for a credential. */
export const join: Join = async (serverUrl, { sn, code, privateKey }) => {
  if (!serialNumber.test(sn) || sn.length > serialMax)
    throw new Error(`"${sn}" is no serial number: letters, digits and - _ . : are allowed, ${serialMax} at most`)
  const base = baseOf(serverUrl)
  if (!/^https?:\/\/./.test(base)) throw new Error(`"${serverUrl}" is no address: it begins with https:// or http://`)
  const asked = JSON.stringify({ sn, code, key: keyOf(code, privateKey), publicKey: publicKeyOf(privateKey) })
  const { response, body } = await activateUntilAnswered(base, asked)
  refuseRedirect(base, response)
  const parsed = answer.safeParse(body)
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
  const { response, body } = await ask(base, '/healthz', {
    headers: { 'cache-control': 'no-cache' },
    signal: AbortSignal.timeout(reachMs),
  })
  const onWay = performance.now() - asked
  refuseRedirect(base, response)
  if (!alive.safeParse(body).success) throw new Error(`${base} is no Campanile server (status ${response.status})`)
  const date = Date.parse(response.headers.get('date') ?? '')
  // The date says the second only, and is as old as half the way there and back.
  return { time: Number.isFinite(date) ? date + 500 + onWay / 2 : undefined }
}

export type AskReleaseKey = (serverUrl: string) => Promise<string>

/** What the manifests of a server's releases are verified with, for those who joined before it was given with the credential. */
export const askReleaseKey: AskReleaseKey = async (serverUrl) => {
  const base = baseOf(serverUrl)
  const { response, body } = await ask(base, releaseKey.path, { signal: AbortSignal.timeout(reachMs) })
  refuseRedirect(base, response)
  const data = key.safeParse(answer.safeParse(body).data?.data).data
  if (!data) throw new Error(`${base} gives no key (status ${response.status})`)
  return data.releaseKey
}
