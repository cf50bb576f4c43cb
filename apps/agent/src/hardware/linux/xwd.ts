import { pngOf } from '../../png.ts'

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
  return pngOf(width, height, rows)
}
