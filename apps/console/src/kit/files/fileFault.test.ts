import { expect, it } from 'vitest'
import { faultOfFile } from './fileFault.ts'

const rule = { maxBytes: 16, accepts: ['png', 'text'] } as const
const png = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
const fault = (bytes: readonly number[]) => faultOfFile(new Blob([new Uint8Array(bytes)]), rule)

it('a file is refused before it is sent for what the server would refuse it for', async () => {
  expect(await fault([])).toBe('empty')
  expect(await fault([...png, 1, 2, 3, 4, 5, 6, 7, 8, 9])).toBe('tooLarge')
  expect(await fault([0x25, 0x50, 0x44, 0x46, 0x2d])).toBe('wrongKind')
  expect(await fault(png)).toBeUndefined()
  expect(await fault([0x61, 0x62])).toBeUndefined()
  expect(await faultOfFile(new Blob(['a']), { maxBytes: 16, accepts: ['png'] })).toBe('wrongKind')
})
