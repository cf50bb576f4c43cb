import { readFile, writeFile } from 'node:fs/promises'
import { join } from '@campanile/agent'
import { serialMax, serialNumber } from '@campanile/contract'
import { z } from 'zod'
import type { Remembered } from './past.ts'

const line = z.object({
  sn: z.string().regex(serialNumber).max(serialMax),
  type: z.number().int().min(1).max(999),
  model: z.string().max(64).optional(),
  password: z.string().optional(),
  mqttUrl: z.string().optional(),
  /** Where uploads given as a path go, and where a code is exchanged. */
  serverUrl: z.string().optional(),
  /** Instead of a password: exchanged for one before the device first connects. */
  code: z.string().optional(),
  /** With `--past`: since when it has been there and until when it was. */
  from: z.number().optional(),
  to: z.number().optional(),
})
type Line = z.infer<typeof line>

export interface Credential {
  readonly sn: string
  readonly type: number
  readonly model: string | undefined
  readonly password: string
  readonly mqttUrl: string
  readonly serverUrl: string
}

const together = 20
const monthMs = 30 * 86_400_000
/** Standard input, up to an empty line: what follows is its end, which tells that whoever started us has gone. */
const pipe = '-'

const readPipe = (): Promise<string> =>
  new Promise((resolve) => {
    let text = ''
    const hear = (chunk: string) => {
      text += chunk
      if (text.endsWith('\n\n')) settle()
    }
    const settle = () => {
      process.stdin.off('data', hear).off('end', settle)
      resolve(text)
    }
    process.stdin.setEncoding('utf8').on('data', hear).on('end', settle)
  })

const readLines = async (path: string): Promise<Line[]> => {
  const lines = (path === pipe ? await readPipe() : await readFile(path, 'utf8')).split('\n').filter(Boolean)
  return lines.map((text, at) => {
    const parsed = line.safeParse(readJson(text))
    if (parsed.success) return parsed.data
    throw new Error(`${path}, line ${at + 1}: ${z.prettifyError(parsed.error)}`)
  })
}

/** The same lines, asked for what has been: nobody connects, so no password is needed. */
export const readRemembered = async (path: string, now: number): Promise<Remembered[]> =>
  (await readLines(path)).map(({ sn, type, model, from = now - monthMs, to = now }) => ({ sn, type, model, from, to }))

/** One JSON object a line. What was exchanged is written back, for a code serves once. */
export const readCredentials = async (
  path: string,
  given: { devices: number; mqttUrl: string | undefined; serverUrl: string | undefined },
): Promise<Credential[]> => {
  const all = await readLines(path)
  const used = all.slice(0, given.devices)
  const refused: Error[] = []
  for (let at = 0; at < used.length && refused.length === 0; at += together) {
    const some = used.slice(at, at + together)
    if (some.every(({ password }) => password !== undefined)) continue
    const exchanged = await Promise.allSettled(some.map((each) => exchange(each, given.serverUrl)))
    for (const [place, each] of exchanged.entries())
      if (each.status === 'fulfilled') used[at + place] = each.value
      else refused.push(each.reason)
    // At once, whatever becomes of the others.
    const text = [...used, ...all.slice(used.length)].map((each) => `${JSON.stringify(each)}\n`).join('')
    if (path !== pipe) await writeFile(path, text, { mode: 0o600 })
  }
  if (refused[0]) throw refused[0]
  return used.map((each) => {
    const mqttUrl = given.mqttUrl ?? each.mqttUrl
    if (!mqttUrl || each.password === undefined) throw new Error(`${path}: ${each.sn} has no mqttUrl or no password`)
    const serverUrl = given.serverUrl ?? each.serverUrl ?? ''
    return { sn: each.sn, type: each.type, model: each.model, password: each.password, mqttUrl, serverUrl }
  })
}

const exchange = async (each: Line, givenUrl: string | undefined): Promise<Line> => {
  if (each.password !== undefined) return each
  const serverUrl = each.serverUrl ?? givenUrl
  if (!serverUrl || !each.code) throw new Error(`${each.sn} has no password; a code and --server are needed instead`)
  const { password, mqttUrl } = await join(serverUrl, { sn: each.sn, code: each.code })
  const { code: _used, ...rest } = each
  return { ...rest, password, mqttUrl, serverUrl }
}

const readJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
