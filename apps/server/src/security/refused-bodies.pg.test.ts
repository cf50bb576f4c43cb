import { connect, type Socket } from 'node:net'
import { protocol, readSerials } from '@campanile/contract'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { headersOf } from '../test/raw-http.ts'
import { startWorld, type World } from '../test/world.ts'

let world: World
let port: number
const opened: Socket[] = []

beforeAll(async () => {
  world = await startWorld()
  port = Number(new URL(await world.app.listen({ port: 0, host: '127.0.0.1' })).port)
})
afterAll(() => world.stop())
afterEach(() => {
  for (const socket of opened.splice(0)) socket.destroy()
})

const megabyte = 1024 * 1024
const open = () => {
  const socket = connect(port, '127.0.0.1')
  opened.push(socket)
  return socket
}
const closing = { Connection: 'close' }

/** A client of the simple kind: it sends all it has, and only then looks for an answer. */
const sendAllThenRead = (head: string, bytes: number): Promise<string> =>
  new Promise((resolve, reject) => {
    const socket = open()
    socket.on('error', reject)
    socket.pause()
    socket.write(head)
    socket.write(Buffer.alloc(bytes, 'x'), () => {
      let text = ''
      socket.on('data', (chunk) => {
        text += chunk
      })
      socket.on('end', () => resolve(text))
      socket.resume()
    })
  })

const multipart = 'multipart/form-data; boundary=refused'
const cases: Record<string, () => Promise<[method: string, path: string, headers: Record<string, string>]>> = {
  'a device without the right token': async () => [
    'PUT',
    '/device/v1/upload/1-1-x',
    { [protocol.uploadTokenHeader]: 'wrong' },
  ],
  'somebody who has not signed in': async () => [readSerials.method, readSerials.path, { 'Content-Type': multipart }],
  'somebody whose file is too large': async () => {
    const { token } = await world.as('alder.admin')
    return [readSerials.method, readSerials.path, { SessionId: token, 'Content-Type': multipart }]
  },
  'somebody who sends more JSON than is read': async () => [
    'POST',
    '/device/v1/activate',
    { 'Content-Type': 'application/json' },
  ],
  'somebody who asks for what is not there': async () => ['POST', '/nothing/here', { 'Content-Type': 'text/plain' }],
}

describe('whoever is refused while still sending reads why:', () => {
  it.each(Object.keys(cases))('%s', async (name) => {
    const [method, path, headers] = await (cases[name] as (typeof cases)[string])()
    for (const connection of [closing, {}]) {
      // Without `close` the connection stays, so that the second request asks for its end.
      const size = 24 * megabyte
      const head = headersOf(method, path, { ...headers, ...connection, 'Content-Length': size })
      const next = 'Connection' in connection ? '' : headersOf('GET', '/healthz', closing)
      const sent = sendAllThenRead(head, size)
      if (next) opened.at(-1)?.write(next)
      const answer = await sent
      expect(answer).toMatch(/^HTTP\/1\.1 4\d\d /)
      expect(answer).toMatch(/"code":\d{5,6}/)
    }
  })
})

describe('whoever is refused and goes on sending', () => {
  it.each([
    ['asks for the end of the connection', closing],
    ['keeps it', {}],
  ])('without end is cut off: %s', async (_, connection) => {
    const socket = open()
    const cut = new Promise((resolve) => {
      socket.on('error', resolve)
      socket.on('close', resolve)
    })
    socket.write(headersOf('PUT', '/device/v1/upload/1-1-x', { ...connection, 'Content-Length': 1024 ** 4 }))
    const block = Buffer.alloc(megabyte)
    const more = () => {
      while (socket.writable && socket.write(block));
    }
    socket.on('drain', more)
    more()
    await cut
  })
})
