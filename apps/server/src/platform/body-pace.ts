import type { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { Readable } from 'node:stream'

/** How long a sender may take. Only the time spent waiting for its bytes counts, never our own work. */
export interface BodyPace {
  /** Nothing at all came for this long. */
  readonly quietMs: number
  /** A sender may be this far behind the slowest speed: the time a line needs to get going. */
  readonly headStartMs: number
  readonly slowestBytesPerSecond: number
  /** From the first look at the body to its last byte, however steadily it comes. */
  readonly longestMs: number
}

/** Headers must be complete within this time of the connection, or of the end of the request before. */
export const headersMs = 10_000
/**
 * What somebody who has been answered may still send before the connection is cut. Who sends all before reading anything gets
 * to the answer that way; cut at once, the connection would be reset and the answer lost with it.
 */
const lingerMs = 10_000
const lingerBytes = 64 * 1024 * 1024
const lookMs = 100

export const bodyPace: BodyPace = {
  quietMs: 10_000,
  headStartMs: 10_000,
  slowestBytesPerSecond: 1_024,
  longestMs: 120_000,
}
/** A device's log of 50 MB over a thin line. */
export const longestDeviceBodyMs = 600_000

/** A body that did not come whole, or not in time. Answered like every other body that cannot be read. */
class BodyUnfinished extends Error {
  override readonly name = 'BodyUnfinished'
  readonly statusCode = 408
}

/** Bodies that are being read. Each ends by itself: whole, cut off by its sender, too slow, or because the server stops. */
export const createBodies = (pace: BodyPace = bodyPace) => {
  /** Gives up one body each. */
  const open = new Set<() => void>()
  /** The last request with a body of each connection. */
  const newest = new WeakMap<Socket, IncomingMessage>()
  let stopping = false

  const inTime = <T>(work: Promise<T>, ms: number): Promise<T> =>
    new Promise((resolve, reject) => {
      const giveUp = () => reject(new BodyUnfinished('the body did not come in time'))
      const timer = setTimeout(giveUp, Math.max(0, ms))
      open.add(giveUp)
      if (stopping) giveUp()
      const cut = (cause: unknown) => reject(new BodyUnfinished('the body was cut off', { cause }))
      void work.then(resolve, cut).finally(() => {
        clearTimeout(timer)
        open.delete(giveUp)
      })
    })

  /** Reads nothing before it is read itself. Whoever gives up leaves the connection alone, so that an answer gets through. */
  const chunksOf = async function* (body: Readable, longestMs: number): AsyncGenerator<Buffer> {
    const { quietMs, headStartMs, slowestBytesPerSecond } = pace
    const chunks = body.iterator({ destroyOnReturn: false })
    const begun = performance.now()
    let waited = 0
    let received = 0
    for (;;) {
      const asked = performance.now()
      const behind = headStartMs + (received / slowestBytesPerSecond) * 1_000 - waited
      const next = await inTime(chunks.next(), Math.min(quietMs, behind, begun + longestMs - asked))
      waited += performance.now() - asked
      if (next.done) return
      received += next.value.length
      yield next.value
    }
  }

  return {
    /** The same bytes at a pace that is bounded. */
    paced: (body: Readable, longestMs = pace.longestMs): Readable =>
      Readable.from(chunksOf(body, longestMs), { objectMode: false }),
    /**
     * Before the answer: an HTTP server closes a connection that was to be closed as soon as it has answered. While the body is
     * still coming only our side is closed; `dismiss` does the rest.
     */
    keepReading: (request: IncomingMessage) => {
      const { socket } = request
      const isKnown = newest.has(socket)
      newest.set(socket, request)
      // A test may hand in a request that came over no connection.
      if (isKnown || !(socket instanceof Socket)) return
      const closeNow = socket.destroySoon.bind(socket)
      socket.destroySoon = () => (newest.get(socket)?.complete ? closeNow() : void socket.end())
    },
    /** After the answer: what is still coming is thrown away for a moment, then the connection ends. */
    dismiss: (request: IncomingMessage) => {
      const { socket } = request
      if (request.complete || request.readableEnded || request.destroyed) return
      const until = performance.now() + (stopping ? 0 : Math.min(lingerMs, pace.quietMs))
      const most = socket.bytesRead + lingerBytes
      const timer = setInterval(() => {
        if (stopping || performance.now() >= until || socket.bytesRead > most) request.destroy()
      }, lookMs)
      timer.unref()
      request.once('close', () => clearInterval(timer))
      // Whoever read it before may have stopped in the middle, still listening.
      request.removeAllListeners('readable')
      request.resume()
    },
    /** Ends every body that is not whole yet: nothing has been done with it. */
    stop: () => {
      stopping = true
      for (const giveUp of [...open]) giveUp()
    },
  }
}
