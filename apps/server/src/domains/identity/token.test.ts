import { describe, expect, it } from 'vitest'
import { hashToken, isToken, newToken } from './token.ts'

describe('tokens', () => {
  const tokens = Array.from({ length: 100_000 }, newToken)

  it('are 256 bits each and never the same twice', () => {
    expect(new Set(tokens).size).toBe(tokens.length)
    expect(tokens.every((token) => isToken(token) && Buffer.from(token, 'base64url').length === 32)).toBe(true)
  })

  it('use every byte value alike', () => {
    const seen = new Array<number>(256).fill(0)
    for (const token of tokens) for (const byte of Buffer.from(token, 'base64url')) seen[byte] = (seen[byte] ?? 0) + 1
    const expected = (tokens.length * 32) / 256
    const chiSquare = seen.reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0)
    // 255 degrees of freedom: beyond this once in ten million runs of a fair source
    expect(chiSquare).toBeLessThan(390)
  })

  it('are not told by their hashes', () => {
    const [token = ''] = tokens
    expect(hashToken(token).toString('base64url')).not.toBe(token)
    expect(hashToken(token)).toHaveLength(32)
  })
})
