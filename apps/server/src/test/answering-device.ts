import { connect, type Socket } from 'node:net'
import { protocol } from '@campanile/contract'
import { generate, type Packet, parser } from 'mqtt-packet'

/** A device that does what it is told once per id and keeps its own books; ten thousand of them fit into a test. */
export const createAnsweringDevice = ({
  sn,
  password,
  port,
  slowness = 1,
}: {
  sn: string
  password: string
  port: number
  /** How long work and coming back take, beside the usual. */
  slowness?: number
}) => {
  /** How often each id was done, and which answers the server has acknowledged. */
  const done = new Map<string, number>()
  const acknowledged = new Set<string>()
  const told: string[] = []
  const unanswered = new Map<number, string>()
  let socket: Socket | undefined
  let lastId = 0
  let wanted = true
  let listening = false

  const send = (packet: Packet) => socket?.write(generate(packet))
  const reply = (id: string) => {
    lastId = (lastId % 65_000) + 1
    unanswered.set(lastId, id)
    send({
      cmd: 'publish',
      topic: protocol.upTopic(sn, 'reply'),
      payload: JSON.stringify({ id, state: 'done' }),
      qos: 1,
      dup: false,
      retain: false,
      messageId: lastId,
    })
  }
  const obey = (id: string) => {
    told.push(id)
    if (!done.has(id)) done.set(id, 1)
    // Work takes its time, a different one each.
    setTimeout(() => reply(id), slowness * (200 + Math.random() * 4_000))
  }
  const receive = (packet: Packet) => {
    if (packet.cmd === 'connack')
      send({ cmd: 'subscribe', messageId: 65_001, subscriptions: [{ topic: protocol.commandTopic(sn), qos: 1 }] })
    if (packet.cmd === 'suback') listening = true
    if (packet.cmd === 'publish') {
      if (packet.messageId) send({ cmd: 'puback', messageId: packet.messageId })
      obey((JSON.parse(String(packet.payload)) as protocol.CommandMessage).id)
    }
    if (packet.cmd === 'puback' && packet.messageId !== undefined) {
      const id = unanswered.get(packet.messageId)
      if (id !== undefined) acknowledged.add(id)
    }
  }
  const open = () => {
    if (!wanted) return
    const reading = parser()
    reading.on('packet', receive)
    unanswered.clear()
    socket = connect(port, '127.0.0.1')
    socket.on('data', (chunk) => reading.parse(chunk))
    socket.on('error', () => undefined)
    socket.on('close', () => {
      listening = false
      setTimeout(open, slowness * (500 + Math.random() * 4_000))
    })
    send({
      cmd: 'connect',
      protocolId: 'MQTT',
      protocolVersion: 4,
      clientId: sn,
      username: sn,
      password: Buffer.from(password),
      keepalive: 300,
      clean: true,
    })
  }
  return {
    sn,
    done,
    acknowledged,
    told,
    open,
    isListening: () => listening,
    close: () => {
      wanted = false
      socket?.destroy()
    },
  }
}
