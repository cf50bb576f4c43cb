import { createServer as createHttpServer } from 'node:http'
import { createServer, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { createSecureContext, TLSSocket } from 'node:tls'
import { createWebSocketStream, WebSocketServer } from 'ws'
import type { Broker } from './broker.ts'
import type { GatewayOptions } from './wire.ts'

/** First bytes that tell the three things apart which one port understands. */
const tlsHandshake = 0x16
const httpGet = 'G'.charCodeAt(0)
const firstByteMs = 10_000
/** Connections of one address that have not said who they are; a school behind one address starts up at once. */
const unknownMax = 2_000
const backlog = 4_096

const plain = (address: string | undefined) => (address ?? '').replace(/^::ffff:(?=\d+\.)/i, '').replace(/%.*$/, '')

/** MQTT over TCP, over WebSocket and, with a certificate, over TLS: all on one port, told apart by their first byte. */
export const createListener = ({ host, port, tls }: GatewayOptions, broker: Broker) => {
  const context = tls ? createSecureContext(tls) : undefined
  const unknown = new Map<string, number>()
  const sockets = new Set<Socket>()

  const http = createHttpServer({ requestTimeout: firstByteMs, headersTimeout: firstByteMs }, (_request, response) => {
    response.writeHead(426, { connection: 'close', upgrade: 'websocket' }).end()
  })
  const web = new WebSocketServer({
    server: http,
    maxPayload: 128 * 1024,
    perMessageDeflate: false,
    handleProtocols: (offered) => (offered.has('mqtt') ? 'mqtt' : false),
  })
  web.on('connection', (socket, request) => {
    broker.accept(createWebSocketStream(socket), plain(request.socket.remoteAddress))
  })

  const counted = (address: string, by: 1 | -1) => {
    const now = (unknown.get(address) ?? 0) + by
    if (now > 0) unknown.set(address, now)
    else unknown.delete(address)
    return now
  }

  /** Looks at the first byte and hands it on unread. */
  const sort = (conn: Socket, address: string, encrypted: boolean, known: () => void) => {
    conn.once('readable', () => {
      const first: Buffer | null = conn.read()
      if (!first) return conn.destroy()
      known()
      conn.unshift(first)
      if (first[0] === tlsHandshake && context && !encrypted) {
        const secure = new TLSSocket(conn, { isServer: true, secureContext: context })
        secure.on('error', () => conn.destroy())
        return sort(secure, address, true, () => undefined)
      }
      if (first[0] === httpGet) http.emit('connection', conn)
      else broker.accept(conn as Duplex, address)
    })
  }

  const server = createServer({ noDelay: true, keepAlive: true, keepAliveInitialDelay: 60_000 }, (socket) => {
    const address = plain(socket.remoteAddress)
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => socket.destroy())
    if (counted(address, 1) > unknownMax) {
      broker.refused(address, 'tooManyFailures')
      counted(address, -1)
      return socket.destroy()
    }
    const slow = setTimeout(() => socket.destroy(), firstByteMs)
    let told = false
    const known = () => {
      if (told) return
      told = true
      clearTimeout(slow)
      counted(address, -1)
    }
    socket.on('close', known)
    sort(socket, address, false, known)
  })

  return {
    start: () =>
      new Promise<number>((resolve, reject) => {
        server.once('error', reject)
        server.listen({ host, port, backlog }, () => {
          const address = server.address()
          resolve(typeof address === 'object' && address ? address.port : port)
        })
      }),
    stop: () => {
      server.close()
      for (const socket of sockets) socket.destroySoon()
    },
  }
}
