import { protocol } from '@campanile/contract'
import type { Packet } from 'mqtt-packet'

/** Unacknowledged commands of one device; the rest waits its turn. MQTT 5 devices may ask for fewer. */
const windowMax = 32
const queueMax = 1_000
const queueBytesMax = 1024 * 1024

/** A command: what is said to this device alone, and the arguments, one text for all that are given it. */
export interface Outgoing {
  readonly head: string
  readonly args: string
  /** What it goes out with at most. */
  readonly qos?: protocol.CommandQos | undefined
}
const sizeOf = ({ head, args }: Outgoing) => head.length + args.length

interface Outside {
  /** False when the device does not take packets of that size. */
  write(packet: Packet): boolean
  isClogged(): boolean
  /** It would not fit, however often it is tried. */
  undeliverable(command: Outgoing): void
  /** Whether there is room for so many bytes among what waits for all devices. */
  mayQueue(bytes: number): boolean
  queued(bytes: number): void
}

/** Commands on their way to one device. What is lost with the connection is sent again from the database. */
export const createOutbox = ({ write, isClogged, undeliverable, mayQueue, queued }: Outside) => {
  let topic = ''
  let granted: protocol.CommandQos = 0
  let size = windowMax
  let lastId = 0
  const unacknowledged = new Set<number>()
  let queue: Outgoing[] = []
  let bytes = 0

  const count = (more: number) => {
    bytes += more
    queued(more)
  }
  /** The smaller of what was asked for and what the device has subscribed with. */
  const qosOf = ({ qos = protocol.commandQosDefault }: Outgoing): protocol.CommandQos => (qos < granted ? qos : granted)
  const post = (command: Outgoing) => {
    lastId = (lastId % 0xffff) + 1
    const qos = qosOf(command)
    const payload = `${command.head},"args":${command.args}}`
    if (!write({ cmd: 'publish', topic, qos, dup: false, retain: false, payload, messageId: lastId }))
      undeliverable(command)
    else if (qos === 1) unacknowledged.add(lastId)
  }
  const mayPost = (command: Outgoing) => !isClogged() && (qosOf(command) === 0 || unacknowledged.size < size)

  const pump = () => {
    for (let [next] = queue; next && mayPost(next); [next] = queue) {
      queue.shift()
      count(-sizeOf(next))
      post(next)
    }
  }
  return {
    window: (wanted: number | undefined) => {
      if (wanted) size = Math.min(wanted, windowMax)
    },
    open: (to: string, qos: protocol.CommandQos) => {
      topic = to
      granted = qos
    },
    /** What finds no room is asked for again from the database, like everything a device has not answered. */
    send: (command: Outgoing) => {
      const size = sizeOf(command)
      if (queue.length === 0 && mayPost(command)) return post(command)
      if (queue.length >= queueMax || bytes + size > queueBytesMax || !mayQueue(size)) return
      queue.push(command)
      count(size)
    },
    pump,
    /** The connection is gone, and with it what waited for it. */
    forget: () => {
      queue = []
      count(-bytes)
    },
    acknowledged: (id: number) => {
      if (unacknowledged.delete(id)) pump()
    },
  }
}
