import { createServer as createHttpServer } from 'node:http'
import { createServer, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { createSecureContext, TLSSocket } from 'node:tls'
import { createWebSocketStream, WebSocketServer } from 'ws'
import { plainAddress } from '../platform/address.ts'
import type { Broker } from './broker.ts'
import { createDoors, type DoorLimits, type Guest } from './doors.ts'
import type { GatewayOptions } from './wire.ts'

/** First bytes that tell the three things apart which one port understands. */
const tlsHandshake = 0x16
const httpGet = 'G'.charCodeAt(0)
const backlog = 4_096

const webPath = '/mqtt'
/** The second is MQTT 3.1's own word for it. */
const webProtocols = ['mqtt', 'mqttv3.1']
const speaksMqtt = (offered = '') => offered.split(',').some((each) => webProtocols.includes(each.trim()))

type Place = Pick<GatewayOptions, 'host' | 'port' | 'tls'>

/** MQTT over TCP, over WebSocket and, with a certificate, over TLS: all on one port, told apart by their first byte. */
export const createListener = ({ host, port, tls }: Place, broker: Broker, limits: Partial<DoorLimits> = {}) => {
  const context = tls ? createSecureContext(tls) : undefined
  const doors = createDoors(broker.refused, limits)
  const sockets = new Set<Socket>()
  /** Who stands behind a connection that is still a browser's request. */
  const guests = new WeakMap<Duplex, { guest: Guest; address: string }>()

  // Its own time limits are of no use here, as it is handed its connections: the doors keep the time for all carriers.
  const http = createHttpServer((_request, response) => {
    response.writeHead(426, { connection: 'close', upgrade: 'websocket' }).end()
  })
  const web = new WebSocketServer({
    server: http,
    path: webPath,
    maxPayload: 128 * 1024,
    perMessageDeflate: false,
    // A page that speaks something else has come to the wrong door, and is told so before anything is held for it.
    verifyClient: ({ req }, answer) => answer(speaksMqtt(req.headers['sec-websocket-protocol']), 400),
    handleProtocols: (offered) => webProtocols.find((each) => offered.has(each)) ?? false,
  })
  web.on('connection', (socket, request) => {
    const found = guests.get(request.socket)
    guests.delete(request.socket)
    if (found) broker.accept(createWebSocketStream(socket), found.address, found.guest)
    else socket.terminate()
  })

  /** Looks at the first byte and hands it on unread. */
  const sort = (conn: Socket, address: string, guest: Guest, isEncrypted: boolean) => {
    conn.once('readable', () => {
      const first: Buffer | null = conn.read()
      if (!first) return conn.destroy()
      conn.unshift(first)
      if (first[0] === tlsHandshake && context && !isEncrypted) {
        const secure = new TLSSocket(conn, { isServer: true, secureContext: context })
        secure.on('error', () => conn.destroy())
        return sort(secure, address, guest, true)
      }
      if (first[0] !== httpGet) return broker.accept(conn, address, guest)
      guests.set(conn, { guest, address })
      http.emit('connection', conn)
    })
  }

  const server = createServer({ noDelay: true, keepAlive: true, keepAliveInitialDelay: 60_000 }, (socket) => {
    const address = plainAddress(socket.remoteAddress ?? '')
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => socket.destroy())
    const guest = doors.enter(socket, address)
    if (guest) sort(socket, address, guest, false)
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
    /** Sockets of those that have not been let in. */
    get unknown() {
      return doors.unknown
    },
    stop: () => {
      doors.stop()
      server.close()
      for (const socket of sockets) socket.destroySoon()
    },
  }
}
