import { expect, test } from 'vitest'
import { pictureOf } from './picture.ts'

const webp = (kind: string, ...body: number[]) =>
  Buffer.concat([
    Buffer.from('RIFF\0\0\0\0WEBP', 'latin1'),
    Buffer.from(kind, 'latin1'),
    Buffer.alloc(4),
    Buffer.from(body),
    Buffer.alloc(20),
  ])

test.each([
  ['lossy', webp('VP8 ', 0, 0, 0, 0x9d, 0x01, 0x2a, 0x90, 0x00, 0x60, 0x40), { width: 144, height: 96 }],
  ['lossless', webp('VP8L', 0x2f, 0x8f, 0xc0, 0x17, 0x00), { width: 144, height: 96 }],
  ['extended', webp('VP8X', 0, 0, 0, 0, 0x8f, 0, 0, 0x5f, 0, 0), { width: 144, height: 96 }],
])('a %s WebP tells its size', (_, bytes, size) => {
  expect(pictureOf(bytes)).toEqual({ type: 'image/webp', ...size })
})

test('what is neither is no picture', () => {
  expect(pictureOf(webp('XYZ '))).toBeUndefined()
  expect(pictureOf(Buffer.from('GIF89a'.padEnd(100)))).toBeUndefined()
  expect(pictureOf(Buffer.alloc(3))).toBeUndefined()
})
