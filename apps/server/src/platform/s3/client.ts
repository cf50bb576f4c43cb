import { type IncomingMessage, Agent as PlainAgent, request as plain } from 'node:http'
import { request as overTls, Agent as TlsAgent } from 'node:https'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { AwsV4Signer } from 'aws4fetch'
import type { S3Address } from './address.ts'
import { readAnswer, type SaidS3 } from './answer-xml.ts'

/** It refused, and would refuse again. Says its own word for why and nothing of what was signed. */
export class S3Refusal extends Error {
  override readonly name = 'S3Refusal'
  readonly status: number
  readonly word: string
  constructor(method: string, status: number, word: string) {
    super(`the file store answered ${status} ${word} to ${method}`)
    this.status = status
    this.word = word
  }
}
/** It is not there, or has too much to do: to whoever waits the same as a line that is down, and so is its code. */
class S3Away extends Error {
  override readonly name = 'S3Away'
  readonly code = 'ETIMEDOUT'
}

interface Asked {
  readonly method: 'GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE'
  /** Nothing for the bucket itself. */
  readonly key?: string
  readonly query?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Readable | string
  readonly silentMs?: number
}

/** Said nothing for so long. */
const silentMs = 60_000
const tries = 3
/** Answers that are no file: lists of a thousand parts are a quarter of this. */
const mostSaid = 2 ** 20

const textOf = async (answer: IncomingMessage): Promise<string> => {
  let text = ''
  answer.setEncoding('utf8')
  for await (const chunk of answer as AsyncIterable<string>) {
    text += chunk
    if (text.length > mostSaid) throw new Error('the file store says too much')
  }
  return text
}
const wordOf = (text: string): string => {
  try {
    return readAnswer(text).top.Code ?? ''
  } catch {
    return ''
  }
}

/** Asks an S3-compatible server, signed (AWS Signature Version 4) by aws4fetch. Bodies go out unsigned, with their MD5 signed. */
export const createS3Client = ({ endpoint, region, bucket, accessKeyId, secretAccessKey }: S3Address) => {
  const isTls = endpoint.startsWith('https:')
  const agent = isTls ? new TlsAgent({ keepAlive: true }) : new PlainAgent({ keepAlive: true })
  const call = isTls ? overTls : plain
  const signingKeys = new Map<string, ArrayBuffer>()

  const sign = async ({ method, key = '', query = {}, headers = {} }: Asked) => {
    const url = new URL(`${endpoint}/${bucket}${key && `/${key}`}`)
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
    const identity = { accessKeyId, secretAccessKey, region, service: 's3' }
    // A day's key each: yesterday's is of no use.
    if (signingKeys.size > 1) signingKeys.clear()
    const signed = await new AwsV4Signer({ method, url: url.href, headers, ...identity, cache: signingKeys }).sign()
    return { url, headers: Object.fromEntries(signed.headers) }
  }

  /** Once; whatever it answers. */
  const ask = async (asked: Asked): Promise<IncomingMessage> => {
    const { url, headers } = await sign(asked)
    const { method, body } = asked
    return new Promise((resolve, reject) => {
      const sending = call(url, { method, headers, agent })
      sending.once('response', resolve)
      sending.once('error', reject)
      sending.setTimeout(asked.silentMs ?? silentMs, () => sending.destroy(new S3Away('the file store is silent')))
      if (body === undefined || typeof body === 'string') sending.end(body)
      else pipeline(body, sending).catch(reject)
    })
  }

  const refused = async (asked: Asked, answer: IncomingMessage) => {
    const status = answer.statusCode ?? 0
    const word = wordOf(await textOf(answer))
    if (status >= 500 || status === 429) return new S3Away(`the file store answered ${status} ${word}`)
    return new S3Refusal(asked.method, status, word)
  }

  /** Its answer where it says yes; a body that streams in is sent once, everything else is tried again. */
  const must = async (asked: Asked): Promise<IncomingMessage> => {
    const canRepeat = asked.body === undefined || typeof asked.body === 'string'
    for (let attempt = 1; ; attempt += 1) {
      const last = !canRepeat || attempt === tries
      try {
        const answer = await ask(asked)
        if ((answer.statusCode ?? 0) < 300) return answer
        throw await refused(asked, answer)
      } catch (error) {
        if (last || error instanceof S3Refusal) throw error
        await sleep(100 * 4 ** attempt * Math.random())
      }
    }
  }

  return {
    /** For the bytes of its answer. */
    open: must,
    /** For what it says. */
    told: async (asked: Asked): Promise<SaidS3> => {
      const text = await textOf(await must(asked))
      const said = text === '' ? { root: '', top: {}, each: [] } : readAnswer(text)
      // Joining parts takes long, so its 200 comes before its outcome.
      if (said.root === 'Error') throw new S3Refusal(asked.method, 200, said.top.Code ?? '')
      return said
    },
    stop: () => agent.destroy(),
  }
}
