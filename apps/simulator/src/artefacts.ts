import { Readable } from 'node:stream'
import { gzipSync } from 'node:zlib'
import { type Artefact, pngOf } from '@campanile/agent'

const width = 320
const height = 180

const inMemory = (name: string, contentType: string, bytes: Buffer): Artefact => ({
  name,
  contentType,
  bytes: bytes.length,
  open: () => Readable.from([bytes]),
  discard: async () => undefined,
})

/** A real picture: a dark bar above a field of the device's own colour. */
export const screenOf = (sn: string, random: () => number): Artefact => {
  const colour = [random(), random(), random()].map((part) => Math.floor(part * 256))
  const rows = Buffer.alloc(height * (1 + width * 3))
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const at = y * (1 + width * 3) + 1 + x * 3
      for (let part = 0; part < 3; part += 1)
        rows[at + part] = y < 14 ? 32 : ((colour[part] ?? 0) + Math.floor(y / 3)) & 255
    }
  }
  return inMemory(`screen-${sn}.png`, 'image/png', pngOf(width, height, rows))
}

const lines = ['network up', 'state sent', 'app in foreground', 'card read', 'retry after timeout', 'memory trimmed']

export const logOf = (sn: string, type: string, now: number, random: () => number): Artefact => {
  const text = Array.from({ length: 200 }, (_, at) => {
    const time = new Date(now - (200 - at) * 7000).toISOString()
    return `${time} ${type} ${sn}: ${lines[Math.floor(random() * lines.length)]}`
  })
  return inMemory(`${type}-${sn}.log.gz`, 'application/gzip', gzipSync(`${text.join('\n')}\n`))
}
