import { createHash, randomBytes } from 'node:crypto'
import { connect } from 'node:net'
import { generate, type Packet } from 'mqtt-packet'

/** Known to the gateway by its hash; a name no device can have. */
export const probeName = '$probe'
const connack = 2

/** `closed`: somebody took the connection and gave it up without a word, as doors that are full do. */
export type Probed = 'answered' | 'closed' | 'refused' | 'silent'

/** Addresses that mean "every one" are reached by the machine's own. */
const reachable = (host: string) => ({ '0.0.0.0': '127.0.0.1', '::': '::1' })[host] ?? host

/** A connection as a device makes one, from TCP to CONNACK. */
export const createProbe = (patienceMs: number) => {
  const password = randomBytes(32)
  const packet = generate({
    cmd: 'connect',
    protocolId: 'MQTT',
    protocolVersion: 4,
    clientId: probeName,
    username: probeName,
    password,
    keepalive: 0,
    clean: true,
  } as Packet)
  return {
    hash: createHash('sha256').update(password).digest('binary'),
    look: (host: string, port: number): Promise<Probed> =>
      new Promise((resolve) => {
        const socket = connect(port, reachable(host))
        const found = (what: Probed) => {
          clearTimeout(late)
          socket.destroy()
          resolve(what)
        }
        const late = setTimeout(() => found('silent'), patienceMs)
        socket.on('connect', () => socket.write(packet))
        socket.on('data', (bytes) => found((bytes[0] as number) >> 4 === connack ? 'answered' : 'closed'))
        socket.on('error', ({ code }: NodeJS.ErrnoException) => found(code === 'ECONNREFUSED' ? 'refused' : 'closed'))
        socket.on('close', () => found('closed'))
      }),
  }
}
