import { connect as connectTcp, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { type Link, type OpenLink, Refused, type Timers } from '@campanile/agent'
import {
  connectPacket,
  disconnectPacket,
  firstPacket,
  kinds,
  pingPacket,
  pubackPacket,
  publishPacket,
  subscribePacket,
} from './packets.ts'

const answerMs = 30_000

/** What a device needs of MQTT 3.1.1 and no more, so that thousands fit into one process. */
export const createOpenLink =
  (timers: Timers): OpenLink =>
  (options, handlers) =>
    new Promise((resolve, reject) => {
      const socket = dial(options.url)
      let open = false
      let ended = false
      let rest: Buffer | undefined
      let packetId = 1
      const waiting = new Map<number, { resolve(): void; reject(error: Error): void }>()
      let cancelPing = () => {}

      const end = (reason: Error) => {
        if (ended) return
        ended = true
        cancelAnswer()
        cancelPing()
        socket.destroy()
        for (const each of waiting.values()) each.reject(reason)
        waiting.clear()
        if (open) handlers.lost(reason.message)
        else reject(reason)
      }
      const cancelAnswer = timers.after(answerMs, () => end(new Error('the broker does not answer')))

      const ping = () => {
        if (ended) return
        socket.write(pingPacket)
        cancelPing = timers.after(options.keepaliveSeconds * 900, ping)
      }
      const nextId = () => {
        packetId = (packetId % 65_535) + 1
        return packetId
      }

      const link: Link = {
        publish: (topic, payload) =>
          new Promise((done, failed) => {
            if (ended) return failed(new Error('the connection has ended'))
            const messageId = nextId()
            waiting.set(messageId, { resolve: done, reject: failed })
            socket.write(publishPacket(messageId, topic, payload))
          }),
        close: async () => {
          if (ended) return
          open = false
          ended = true
          cancelPing()
          socket.end(disconnectPacket)
          socket.setTimeout(5000, () => socket.destroy())
        },
        drop: () => {
          ended = true
          cancelPing()
          socket.destroy()
          for (const each of waiting.values()) each.reject(new Error('the connection has ended'))
        },
      }

      const take = (kind: number, flags: number, body: Buffer) => {
        if (kind === kinds.connack) {
          const code = body[1] ?? 255
          if (code !== 0) return end(new Refused(`Connection refused: code ${code}`))
          socket.write(subscribePacket(nextId(), options.subscribe))
        } else if (kind === kinds.suback) {
          if ((body[2] ?? 128) > 2) return end(new Refused('the broker refused the subscription'))
          cancelAnswer()
          open = true
          cancelPing = timers.after(options.keepaliveSeconds * 900, ping)
          resolve(link)
        } else if (kind === kinds.puback) {
          const messageId = body.readUInt16BE(0)
          waiting.get(messageId)?.resolve()
          waiting.delete(messageId)
        } else if (kind === kinds.publish) {
          const qos = (flags >> 1) & 3
          const topicEnd = 2 + body.readUInt16BE(0)
          if (qos === 1) socket.write(pubackPacket(body.readUInt16BE(topicEnd)))
          handlers.message(body.subarray(topicEnd + (qos > 0 ? 2 : 0)))
        }
      }

      socket.on('data', (chunk: Buffer) => {
        let bytes = rest ? Buffer.concat([rest, chunk]) : chunk
        for (let packet = firstPacket(bytes); packet; packet = firstPacket(bytes)) {
          bytes = bytes.subarray(packet.end)
          take(packet.kind, packet.flags, packet.body)
        }
        rest = bytes.length > 0 ? Buffer.from(bytes) : undefined
      })
      socket.on('error', (error) => end(error))
      socket.on('close', () => end(new Error('the connection was closed')))
      socket.write(connectPacket(options))
    })

const dial = (address: string): Socket => {
  const url = new URL(address)
  const host = url.hostname.replace(/^\[|\]$/g, '')
  if (url.protocol === 'mqtt:') return connectTcp({ host, port: Number(url.port || 1883), noDelay: true })
  if (url.protocol === 'mqtts:') return connectTls({ host, port: Number(url.port || 8883), servername: host })
  throw new Error(`simulated devices speak mqtt:// and mqtts://, not ${url.protocol}`)
}
