/** Thrown when the other side announces more than it may send. */
export class TooLarge extends Error {}
/** Thrown when bytes are no packet. */
export class Malformed extends Error {}
/** Thrown when a packet can be read and breaks the standard; the code is what MQTT 5 calls it. */
export class Violation extends Error {
  readonly code: number
  constructor(code: number) {
    super()
    this.code = code
  }
}

const none = Buffer.alloc(0)
const lengthBytesMax = 4

/**
 * Cuts a stream of bytes into whole MQTT packets. The announced length is looked at before a byte of the rest is kept, so
 * nobody makes us hold more than `limit`.
 */
export const createFrames = () => {
  let kept: Buffer = none
  return {
    push: (chunk: Buffer) => {
      kept = kept.length === 0 ? chunk : Buffer.concat([kept, chunk])
    },
    next: (limit: number): Buffer | undefined => {
      let length = 0
      for (let at = 1; at <= lengthBytesMax; at += 1) {
        const byte = kept[at]
        if (byte === undefined) return undefined
        length += (byte & 0x7f) * 128 ** (at - 1)
        if (byte & 0x80) continue
        if (length > limit) throw new TooLarge()
        const end = at + 1 + length
        if (kept.length < end) return undefined
        const frame = kept.subarray(0, end)
        kept = kept.length === end ? none : kept.subarray(end)
        return frame
      }
      throw new Malformed()
    },
  }
}
