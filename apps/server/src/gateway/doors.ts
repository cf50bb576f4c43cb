import type { Socket } from 'node:net'
import { networkOf } from '../platform/address.ts'
import type { RefusalReason } from './wire.ts'

export interface DoorLimits {
  /** From the first packet of TCP to the last byte of CONNECT, whatever lies between: TLS, WebSocket, single bytes. */
  readonly patienceMs: number
  /** A TLS handshake, the upgrade to a WebSocket and a CONNECT; nobody unknown needs more. */
  readonly bytes: number
  /** Sockets of one network (an IPv4 address, an IPv6 /64) that have not been let in yet; a school behind one starts up at once. */
  readonly perAddress: number
  readonly inAll: number
}
const usual: DoorLimits = { patienceMs: 10_000, bytes: 48 * 1024, perAddress: 2_000, inAll: 10_000 }
const sweepMs = 250

/** Somebody who has not proven who it is. */
export interface Guest {
  /** Its CONNECT is whole; now it waits for us. */
  asks(): void
  /** Its answer was no: it has only to hear it and go. */
  turnedAway(): void
  /** Let in: no longer our business. */
  known(): void
}

interface WaitingSocket {
  readonly socket: Socket
  readonly address: string
  readonly network: string
  readonly since: number
  /** Why it goes has been noted. */
  isNoted: boolean
}
interface Place {
  /** Those that owe us their CONNECT, or only their leaving; the oldest first. */
  readonly owing: Set<WaitingSocket>
  asking: number
}

const first = <T>(some: Set<T>): T | undefined => some.values().next().value

/**
 * Counts whoever has not been let in, and gives nobody for ever to say who it is. When there are too many the oldest that
 * owes its CONNECT makes room: a device needs a moment for it, and so gets in beside any number that only hold the line.
 */
export const createDoors = (
  refused: (address: string, reason: RefusalReason) => void,
  some: Partial<DoorLimits> = {},
) => {
  const limits = { ...usual, ...some }
  const places = new Map<string, Place>()
  const owing = new Set<WaitingSocket>()
  let asking = 0

  const placeOf = (network: string): Place => {
    const found = places.get(network) ?? { owing: new Set<WaitingSocket>(), asking: 0 }
    places.set(network, found)
    return found
  }
  const forget = (network: string, place: Place) => {
    if (place.owing.size === 0 && place.asking === 0 && places.get(network) === place) places.delete(network)
  }
  const pay = (held: WaitingSocket, place: Place): boolean => {
    place.owing.delete(held)
    return owing.delete(held)
  }
  const turnOut = (held: WaitingSocket, reason: RefusalReason) => {
    const place = placeOf(held.network)
    pay(held, place)
    forget(held.network, place)
    if (!held.isNoted) refused(held.address, reason)
    held.socket.destroy()
  }
  /** False when all that are there wait for us, and none of them can be blamed for it. */
  const makeRoom = (some: Set<WaitingSocket>): boolean => {
    const oldest = first(some)
    if (oldest) turnOut(oldest, 'tooManyConnections')
    return oldest !== undefined
  }

  const sweep = setInterval(() => {
    const late = Date.now() - limits.patienceMs
    for (const held of owing) {
      if (held.since <= late) turnOut(held, 'tooSlow')
      else if (held.socket.bytesRead > limits.bytes) turnOut(held, 'tooLarge')
    }
  }, sweepMs)

  return {
    get unknown() {
      return owing.size + asking
    },
    /** Undefined when there is no room. */
    enter: (socket: Socket, address: string): Guest | undefined => {
      const network = networkOf(address)
      const place = placeOf(network)
      const full = (count: number, max: number, some: Set<WaitingSocket>) => count >= max && !makeRoom(some)
      if (
        full(place.owing.size + place.asking, limits.perAddress, place.owing) ||
        full(owing.size + asking, limits.inAll, owing)
      ) {
        forget(network, place)
        refused(address, 'tooManyConnections')
        socket.destroy()
        return undefined
      }
      // The last of the place may have made room for this one.
      places.set(network, place)
      const held: WaitingSocket = { socket, address, network, since: Date.now(), isNoted: false }
      let isAsking = false
      const owe = () => {
        place.owing.add(held)
        owing.add(held)
      }
      const ask = (asks: boolean) => {
        const by = Number(asks) - Number(isAsking)
        place.asking += by
        asking += by
        isAsking = asks
      }
      const known = () => {
        pay(held, place)
        ask(false)
        forget(network, place)
        socket.off('close', known)
      }
      owe()
      socket.on('close', known)
      return {
        asks: () => {
          if (pay(held, place)) ask(true)
        },
        turnedAway: () => {
          held.isNoted = true
          if (isAsking) owe()
          ask(false)
        },
        known,
      }
    },
    stop: () => clearInterval(sweep),
  }
}
