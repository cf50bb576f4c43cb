import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import { join } from './join.ts'

let server: Server
afterEach(() => server.close())

/** Reads every request; `answers` says for each whether it is answered or lost. */
const listen = async (...answers: ('lost' | 503 | 200)[]) => {
  const asked: { sn: string; code: string; key: string }[] = []
  server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += String(chunk)
    const answer = answers[asked.length]
    asked.push(JSON.parse(body))
    if (answer === 'lost') return request.socket.destroy()
    const data = { username: 'KEY-1', password: 'p', mqttUrl: 'mqtt://127.0.0.1:1', serverTime: '' }
    response.writeHead(answer ?? 200, { 'content-type': 'application/json' })
    return response.end(JSON.stringify(answer === 503 ? { code: 100004, message: 'busy' } : { code: 100000, data }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked }
}

it('asks again with the same key when the answer was lost', async () => {
  const { url, asked } = await listen('lost', 503, 200)
  expect(await join(url, { sn: 'KEY-1', code: 'some-code' })).toMatchObject({ username: 'KEY-1', password: 'p' })
  expect(asked).toHaveLength(3)
  expect(asked[0]?.key).toMatch(/^[\w-]{43}$/)
  expect(new Set(asked.map(({ key }) => key)).size).toBe(1)
}, 240_000)
