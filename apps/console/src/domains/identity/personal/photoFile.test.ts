import { photoMaxBytes } from '@campanile/contract/identity'
import { describe, expect, it } from 'vitest'
import { faultOfPhoto } from './photoFile.ts'

const png = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
const fileOf = (bytes: readonly number[], size = bytes.length) => {
  const content = new Uint8Array(size)
  content.set(bytes)
  return new Blob([content])
}

describe('a photo', () => {
  it('is a JPEG or a PNG by its content', async () => {
    expect(await faultOfPhoto(fileOf(png))).toBeUndefined()
    expect(await faultOfPhoto(fileOf([0xff, 0xd8, 0xff, 0xe0]))).toBeUndefined()
    expect(await faultOfPhoto(new Blob(['<svg xmlns="http://www.w3.org/2000/svg"/>'], { type: 'image/png' }))).toBe(
      'wrongType',
    )
  })

  it('is under 2 MB', async () => {
    expect(await faultOfPhoto(fileOf(png, photoMaxBytes))).toBeUndefined()
    expect(await faultOfPhoto(fileOf(png, photoMaxBytes + 1))).toBe('tooLarge')
    expect(await faultOfPhoto(fileOf([]))).toBe('empty')
  })
})
