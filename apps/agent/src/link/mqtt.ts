import mqtt from 'mqtt'
import { type OpenLink, Refused } from './link.ts'

const connectTimeoutMs = 20_000

/** MQTT over TCP, TLS or WebSocket, by the scheme of the address. */
export const openMqtt: OpenLink = (options, handlers) =>
  new Promise((resolve, reject) => {
    const client = mqtt.connect(options.url, {
      clientId: options.clientId,
      username: options.username,
      password: options.password,
      keepalive: options.keepaliveSeconds,
      will: { topic: options.will.topic, payload: Buffer.from(options.will.payload), qos: 1, retain: false },
      protocolVersion: 4,
      // The platform keeps what waits for us; a session in the broker would only deliver it twice.
      clean: true,
      reconnectPeriod: 0,
      connectTimeout: connectTimeoutMs,
      queueQoSZero: false,
    })
    let open = false
    let closed = false
    let reason = 'the connection ended'

    const end = () => {
      if (closed) return
      closed = true
      client.end(true)
      if (open) handlers.lost(reason)
      else reject(isRefusal(reason) ? new Refused(reason) : new Error(reason))
    }
    client.on('error', (error) => {
      reason = wordsOf(error)
      end()
    })
    client.on('close', end)
    client.on('message', (_topic, payload) => handlers.message(payload))
    client.on('connect', () => {
      client.subscribe(options.subscribe, { qos: 1 }, (error, granted) => {
        if (error || granted?.some(({ qos }) => qos > 2)) {
          reason = error ? wordsOf(error) : 'the broker refused the subscription'
          return end()
        }
        open = true
        resolve({
          publish: async (topic, payload) => {
            if (closed || !client.connected) throw new Error(reason)
            await client.publishAsync(topic, payload, { qos: 1 })
          },
          close: () =>
            new Promise((done) => {
              closed = true
              client.end(false, {}, () => done())
            }),
          drop: () => {
            closed = true
            client.stream.destroy()
            client.end(true)
          },
        })
      })
    })
  })

/** A connection that cannot be made comes as a bundle of one failure per address. */
const wordsOf = (error: Error & { errors?: Error[]; code?: unknown }): string =>
  error.message || error.errors?.map((each) => each.message).join('; ') || String(error.code ?? 'unknown failure')

const isRefusal = (reason: string) => reason.startsWith('Connection refused')
