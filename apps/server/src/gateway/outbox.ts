import type { Packet } from 'mqtt-packet'

/** Unacknowledged commands of one device; the rest waits its turn. MQTT 5 devices may ask for fewer. */
const windowMax = 32
const queueMax = 1_000

interface Outside {
  /** False when the device does not take packets of that size. */
  write(packet: Packet): boolean
  isClogged(): boolean
  /** It would not fit, however often it is tried. */
  undeliverable(payload: string): void
}

/** Commands on their way to one device. What is lost with the connection is sent again from the database. */
export const createOutbox = ({ write, isClogged, undeliverable }: Outside) => {
  let topic = ''
  let qos: 0 | 1 = 0
  let size = windowMax
  let lastId = 0
  const unacknowledged = new Set<number>()
  const queue: string[] = []

  const pump = () => {
    while (queue.length > 0 && !isClogged() && (qos === 0 || unacknowledged.size < size)) {
      lastId = (lastId % 0xffff) + 1
      const payload = queue.shift() as string
      if (!write({ cmd: 'publish', topic, qos, dup: false, retain: false, payload, messageId: lastId }))
        undeliverable(payload)
      else if (qos === 1) unacknowledged.add(lastId)
    }
  }
  return {
    window: (wanted: number | undefined) => {
      if (wanted) size = Math.min(wanted, windowMax)
    },
    open: (to: string, granted: 0 | 1) => {
      topic = to
      qos = granted
    },
    send: (payload: string) => {
      if (queue.length >= queueMax) return
      queue.push(payload)
      pump()
    },
    pump,
    acknowledged: (id: number) => {
      if (unacknowledged.delete(id)) pump()
    },
  }
}
