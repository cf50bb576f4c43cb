import { crc32, deflateSync } from 'node:zlib'

const headerBytes = 100
const pixelsMax = 16_384

/** `xwd` writes the screen as the X server holds it; people look at PNG. */
export const xwdToPng = (dump: Buffer): Buffer => {
  if (dump.length < headerBytes) throw new Error('the screen dump is cut off')
  const field = (at: number) => dump.readUInt32BE(at * 4)
  const [size, version, format] = [field(0), field(1), field(2)]
  const [width, height, littleEndian, bits, lineBytes, colours] = [
    field(4),
    field(5),
    field(7) === 0,
    field(11),
    field(12),
    field(19),
  ]
  if (version !== 7 || format !== 2) throw new Error('the screen dump has an unknown format')
  if (bits !== 32 && bits !== 24) throw new Error(`screens of ${bits} bits a pixel cannot be converted`)
  if (width === 0 || height === 0 || width > pixelsMax || height > pixelsMax) throw new Error('the screen has no size')
  const start = size + colours * 12
  const step = bits / 8
  if (dump.length < start + lineBytes * (height - 1) + width * step) throw new Error('the screen dump is cut off')

  // Each line begins with its filter, which is none.
  const rows = Buffer.alloc(height * (1 + width * 3))
  for (let y = 0; y < height; y += 1) {
    let from = start + y * lineBytes
    let to = y * (1 + width * 3) + 1
    for (let x = 0; x < width; x += 1) {
      const [red, green, blue] = littleEndian ? [2, 1, 0] : [step - 3, step - 2, step - 1]
      rows[to] = dump[from + red] ?? 0
      rows[to + 1] = dump[from + green] ?? 0
      rows[to + 2] = dump[from + blue] ?? 0
      from += step
      to += 3
    }
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 2, 0, 0, 0], 8)
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

const chunk = (type: string, data: Buffer): Buffer => {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const frame = Buffer.alloc(8)
  frame.writeUInt32BE(data.length, 0)
  frame.writeUInt32BE(crc32(body), 4)
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)])
}
