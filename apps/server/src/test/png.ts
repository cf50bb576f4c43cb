import { inflateSync } from 'node:zlib'

/** As much of a picture as says how large it is: enough for whoever does not draw it. */
export const pngOf = (width: number, height: number): Buffer => {
  const sides = Buffer.alloc(8)
  sides.writeUInt32BE(width)
  sides.writeUInt32BE(height, 4)
  return Buffer.concat([Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'), sides, Buffer.alloc(64)])
}

/** Colours of a PNG of 8 bits a channel, as a person would see them: nothing of the program that wrote it is used. */
export const readPng = (bytes: Buffer) => {
  expectSignature(bytes)
  let width = 0
  let height = 0
  let channels = 0
  const data: Buffer[] = []
  for (let at = 8; at < bytes.length; ) {
    const size = bytes.readUInt32BE(at)
    const type = bytes.toString('latin1', at + 4, at + 8)
    const content = bytes.subarray(at + 8, at + 8 + size)
    if (type === 'IHDR') {
      width = content.readUInt32BE(0)
      height = content.readUInt32BE(4)
      const colour = content[9]
      if (content[8] !== 8 || (colour !== 2 && colour !== 6)) throw new Error('not eight bits of red, green and blue')
      channels = colour === 2 ? 3 : 4
    }
    if (type === 'IDAT') data.push(content)
    at += 12 + size
  }
  const rows = unfilter(inflateSync(Buffer.concat(data)), width * channels, height, channels)
  return {
    width,
    height,
    colour: (x: number, y: number): string => {
      const at = (y * width + x) * channels
      return `#${rows.subarray(at, at + 3).toString('hex')}`
    },
  }
}

const expectSignature = (bytes: Buffer) => {
  if (bytes.toString('hex', 0, 8) !== '89504e470d0a1a0a') throw new Error('no PNG')
}

const paeth = (a: number, b: number, c: number) => {
  const [pa, pb, pc] = [Math.abs(b - c), Math.abs(a - c), Math.abs(a + b - 2 * c)]
  return pa <= pb && pa <= pc ? a : pb <= pc ? b : c
}

/** Each line names how it was told from the one before it. */
const unfilter = (raw: Buffer, line: number, height: number, step: number): Buffer => {
  const out = Buffer.alloc(line * height)
  for (let y = 0; y < height; y += 1) {
    const filter = raw[y * (line + 1)]
    for (let x = 0; x < line; x += 1) {
      const left = x >= step ? (out[y * line + x - step] ?? 0) : 0
      const above = y > 0 ? (out[(y - 1) * line + x] ?? 0) : 0
      const corner = x >= step && y > 0 ? (out[(y - 1) * line + x - step] ?? 0) : 0
      const told = [0, left, above, (left + above) >> 1, paeth(left, above, corner)][filter ?? 0] ?? 0
      out[y * line + x] = ((raw[y * (line + 1) + 1 + x] ?? 0) + told) & 0xff
    }
  }
  return out
}
