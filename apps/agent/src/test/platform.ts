import { generateKeyPairSync, randomUUID } from 'node:crypto'
import { createServer as createHttp, type IncomingMessage, type ServerResponse } from 'node:http'
import { type AddressInfo, createServer as createTcp, type Server, type Socket } from 'node:net'
import type { CommandName } from '@campanile/contract'
import { commandTopic } from '@campanile/contract/protocol'
import { type Manifest, signManifest } from '@campanile/manifest'
import { Aedes, type Client } from 'aedes'

export interface Heard {
  readonly sn: string
  readonly kind: string
  readonly body: Record<string, unknown>
}

/** A real broker, and of the server only the calls a device makes. */
export interface Platform {
  readonly serverUrl: string
  readonly mqttUrl: string
  readonly heard: Heard[]
  readonly uploads: { readonly path: string; readonly token: unknown; readonly body: Buffer }[]
  /** What devices may fetch, by its path; with ranges and a tag. */
  readonly downloads: Map<string, Buffer>
  /** Where the next download stops for ever, in bytes from its beginning, and whom that is told. */
  stall: { readonly at: number; readonly reached: () => void } | undefined
  /** As the installation signs what it releases. */
  sign(manifest: Manifest): string
  readonly releaseKey: string
  /** Whether a device that joins is given the key, or has to ask for it. */
  givesKey: boolean
  /** Codes that let a device in, once each; the same key may ask again. */
  readonly codes: Set<string>
  /** Codes are taken, and the answers never arrive. */
  loseAnswers(are: boolean): void
  /** How many connections stand. */
  readonly connections: number
  /** Every device's credential, as the platform has it now. */
  readonly passwords: Map<string, string>
  /** Out of reach, and back at the same addresses. */
  shut(): Promise<void>
  open(): Promise<void>
  send(
    sn: string,
    command: { id: string; name: CommandName | string; args?: object; expires?: number; upload?: object },
  ): Promise<void>
  /** Waits for what is already there or still to come. */
  hears(matches: (heard: Heard) => boolean): Promise<Heard>
  /** Cuts every connection, as a broker that dies does. */
  cut(): void
  close(): Promise<void>
}

const patienceMs = 20_000
const listen = (server: Server, port = 0) =>
  new Promise<number>((resolve) =>
    server.listen(port, '127.0.0.1', () => resolve((server.address() as AddressInfo).port)),
  )

export const startPlatform = async (): Promise<Platform> => {
  const heard: Heard[] = []
  const uploads: { path: string; token: unknown; body: Buffer }[] = []
  const codes = new Set<string>()
  let isLosing = false
  const exchanged = new Map<string, string>()
  const passwords = new Map<string, string>()
  const listeners = new Set<() => void>()
  const sockets = new Set<Socket>()

  const downloads = new Map<string, Buffer>()
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const releaseKey = publicKey.export({ type: 'spki', format: 'pem' }).toString()
  const tag = '"the only one"'

  const serve = (content: Buffer, request: IncomingMessage, response: ServerResponse) => {
    const { range, 'if-range': wanted } = request.headers
    const isPart = range !== undefined && (wanted === undefined || wanted === tag)
    const from = isPart ? Number(/bytes=(\d+)-/.exec(range)?.[1]) : 0
    response.writeHead(isPart ? 206 : 200, {
      etag: tag,
      'content-length': content.length - from,
      ...(isPart && { 'content-range': `bytes ${from}-${content.length - 1}/${content.length}` }),
    })
    const { stall } = platform
    if (!stall || stall.at < from) return response.end(content.subarray(from))
    platform.stall = undefined
    if (stall.at === from) {
      response.flushHeaders()
      stall.reached()
    } else response.write(content.subarray(from, stall.at), () => stall.reached())
  }

  const broker = await Aedes.createBroker()
  broker.authenticate = (client, username, password, done) => {
    const ok = client.id === username && password?.toString() === passwords.get(username ?? '')
    done(ok ? null : Object.assign(new Error('wrong'), { returnCode: 5 }), ok)
  }
  const clients = new Map<string, Client>()
  broker.on('client', (client) => clients.set(client.id, client))
  broker.on('publish', ({ topic, payload }) => {
    const match = /^v1\/([^/]+)\/up\/(.+)$/.exec(topic)
    if (!match) return
    heard.push({ sn: match[1] ?? '', kind: match[2] ?? '', body: JSON.parse(payload.toString()) })
    for (const listener of [...listeners]) listener()
  })
  const tcp = createTcp((socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    broker.handle(socket)
  })
  const mqttPort = await listen(tcp)
  const mqttUrl = `mqtt://127.0.0.1:${mqttPort}`

  const http = createHttp(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const body = Buffer.concat(chunks)
    if (request.method === 'PUT') {
      uploads.push({ path: request.url ?? '', token: request.headers['x-upload-token'], body })
      return isLosing ? request.socket.destroy() : response.writeHead(204).end()
    }
    const content = downloads.get(new URL(request.url ?? '', 'http://here').pathname)
    if (content) return serve(content, request, response)
    if (request.url === '/device/v1/releaseKey')
      return response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify({ code: 100000, data: { releaseKey } }))
    if (request.url === '/healthz')
      return response.writeHead(200, { 'content-type': 'application/json' }).end('{"code":100000,"data":{"up":true}}')
    const { sn, code, key } = JSON.parse(body.toString())
    const known = codes.delete(code) || (key && exchanged.get(code) === key)
    if (known) {
      exchanged.set(code, key)
      passwords.set(sn, randomUUID())
      // Whoever came with the old one has to go.
      clients.get(sn)?.close()
    }
    if (isLosing) return request.socket.destroy()
    const credential = { username: sn, password: passwords.get(sn), mqttUrl, serverTime: new Date().toISOString() }
    const data = { ...credential, ...(platform.givesKey && { releaseKey }) }
    response.writeHead(known ? 200 : 404, { 'content-type': 'application/json' })
    response.end(
      JSON.stringify(known ? { code: 100000, message: '', data } : { code: 204033, message: 'no such code', data: {} }),
    )
  })
  const httpPort = await listen(http)
  const serverUrl = `http://127.0.0.1:${httpPort}`
  const shut = async () => {
    for (const socket of sockets) socket.destroy()
    await new Promise((resolve) => tcp.close(resolve))
    http.closeAllConnections()
    await new Promise((resolve) => http.close(resolve))
  }

  const platform: Platform = {
    serverUrl,
    mqttUrl,
    downloads,
    stall: undefined,
    sign: (manifest) => signManifest(privateKey, manifest),
    releaseKey,
    givesKey: true,
    heard,
    uploads,
    codes,
    passwords,
    loseAnswers: (are) => {
      isLosing = are
    },
    get connections() {
      return sockets.size
    },
    send: (sn, { id, name, args = {}, expires = Date.now() + 60_000, upload }) =>
      new Promise((resolve, reject) =>
        broker.publish(
          {
            cmd: 'publish',
            topic: commandTopic(sn),
            payload: Buffer.from(JSON.stringify({ id, name, args, expires, ...(upload ? { upload } : {}) })),
            qos: 1,
            retain: false,
            dup: false,
          },
          (error) => (error ? reject(error) : resolve()),
        ),
      ),
    hears: (matches) =>
      new Promise((resolve, reject) => {
        const look = () => {
          const found = heard.find(matches)
          if (!found) return
          clearTimeout(timer)
          listeners.delete(look)
          resolve(found)
        }
        const timer = setTimeout(() => {
          listeners.delete(look)
          reject(new Error(`not heard; heard instead: ${JSON.stringify(heard.slice(-20))}`))
        }, patienceMs)
        listeners.add(look)
        look()
      }),
    cut: () => {
      for (const socket of sockets) socket.destroy()
    },
    shut,
    open: async () => {
      await listen(tcp, mqttPort)
      await listen(http, httpPort)
    },
    close: async () => {
      await shut()
      await new Promise<void>((resolve) => broker.close(() => resolve()))
    },
  }
  return platform
}
