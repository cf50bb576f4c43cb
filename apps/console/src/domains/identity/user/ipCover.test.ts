import { describe, expect, it } from 'vitest'
import { isCovered, wrongEntries } from './ipCover.ts'

describe('an IP whitelist', () => {
  it.each([
    [[], '203.0.113.9', true],
    [['203.0.113.9'], '203.0.113.9', true],
    [['203.0.113.8'], '203.0.113.9', false],
    [['10.0.0.0/8'], '10.255.0.1', true],
    [['10.0.0.0/8'], '11.0.0.1', false],
    [['192.168.1.0/25'], '192.168.1.127', true],
    [['192.168.1.0/25'], '192.168.1.128', false],
    [['0.0.0.0/0'], '8.8.8.8', true],
    [['127.0.0.1'], '::ffff:127.0.0.1', true],
    [['2001:db8::/32'], '2001:db8:1::5', true],
    [['2001:db8::/32'], '2001:db9::5', false],
    [['::1'], '0:0:0:0:0:0:0:1', true],
    [['::/0'], '10.0.0.1', false],
    [['nonsense', '10.0.0.1'], '10.0.0.1', true],
  ])('%j and %s: %s', (entries, address, covered) => {
    expect(isCovered(entries, address)).toBe(covered)
  })

  it('names the entries that are neither an address nor a network', () => {
    const entries = [
      '10.0.0.1',
      '10.0.0.256',
      '10.0.0.0/33',
      '10.0.0.0/8/8',
      'fe80::1',
      'fe80:::1',
      'a:b',
      'office',
      '1::/129',
    ]
    expect(wrongEntries(entries)).toEqual([
      '10.0.0.256',
      '10.0.0.0/33',
      '10.0.0.0/8/8',
      'fe80:::1',
      'a:b',
      'office',
      '1::/129',
    ])
  })
})
