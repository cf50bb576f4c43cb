import { expect, it } from 'vitest'
import { createKnocks } from './knocks.ts'

const flat = '10.6.6.6'

it('lets ever new serial numbers of one address reach the server at a bounded rate, and those known before always', () => {
  let now = 1_000_000
  const knocks = createKnocks(() => now)
  knocks.admitted('KNOWN', 'right')
  const flood = (count: number, prefix: string) => {
    let asked = 0
    for (let n = 0; n < count; n += 1) {
      const sn = `${prefix}-${n}`
      if (!knocks.mayAsk(sn, flat, 'x')) continue
      asked += 1
      knocks.refused(sn, flat, 'x', 'unknownDevice')
    }
    return asked
  }
  expect(flood(5_000, 'A')).toBe(1_000)
  expect(knocks.mayAsk('KNOWN', flat, 'right')).toBe(true)
  expect(knocks.mayAsk('KNOWN', flat, 'guess')).toBe(false)
  expect(knocks.mayAsk('ELSEWHERE', '10.0.0.7', 'x')).toBe(true)
  now += 1_000
  expect(flood(5_000, 'B')).toBe(200)
  now += 1_000
  expect(knocks.mayAsk('NEWCOMER', flat, 'x')).toBe(true)
})

it('no longer trusts a credential once it was refused', () => {
  const knocks = createKnocks(() => 0)
  knocks.admitted('REVOKED', 'old')
  for (let n = 0; n < 10; n += 1) {
    expect(knocks.mayAsk('REVOKED', flat, 'old')).toBe(true)
    knocks.refused('REVOKED', flat, 'old', 'revoked')
  }
  expect(knocks.mayAsk('REVOKED', flat, 'old')).toBe(false)
  knocks.admitted('REVOKED', 'new')
  expect(knocks.mayAsk('REVOKED', flat, 'new')).toBe(true)
})

it('takes all addresses of an IPv6 network for one, and an IPv4 address for itself however it is written', () => {
  const knocks = createKnocks(() => 0)
  for (let n = 0; n < 10; n += 1) knocks.refused('GUESSED', `2001:db8:1:2::${n}`, `guess ${n}`, 'wrongPassword')
  expect(knocks.mayAsk('GUESSED', '2001:db8:1:2:a:b:c:d', 'guess')).toBe(false)
  expect(knocks.mayAsk('GUESSED', '2001:db8:1:3::1', 'guess')).toBe(true)
  for (let n = 0; n < 1_000; n += 1) knocks.refused(`SN-${n}`, `2001:db8:9:9::${n.toString(16)}`, 'x', 'unknownDevice')
  expect(knocks.mayAsk('NEW', '2001:db8:9:9:ffff::', 'x')).toBe(false)
  for (let n = 0; n < 10; n += 1) knocks.refused('GUESSED', n % 2 ? flat : `::ffff:${flat}`, 'x', 'wrongPassword')
  expect(knocks.mayAsk('GUESSED', flat, 'x')).toBe(false)
})
