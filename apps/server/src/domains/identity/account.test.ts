import { describe, expect, it } from 'vitest'
import { isWithinValidity, usernameKey } from './account.ts'
import { admits, isAddressEntry } from './address-list.ts'

describe('the key of a name', () => {
  it.each([
    'Admin',
    'ADMIN',
    ' admin ',
    'ａｄｍｉｎ',
    'admin\u0000',
    '\u200badm\u200din\ufeff',
    'ad\u00admin',
    'admin\u3000',
  ])('is the same for %j', (name) => {
    expect(usernameKey(name)).toBe('admin')
  })
  it('differs for names that differ', () => {
    expect(new Set(['admin', 'adm in', 'admin1', '管理员', 'ädmin', 'admın'].map(usernameKey)).size).toBe(6)
  })
})

describe('an entry of an address list', () => {
  it.each(['10.0.0.1', '10.0.0.0/8', '::1', '2001:db8::/32', '::ffff:10.0.0.1', 'fe80::1'])('may be %s', (entry) => {
    expect(isAddressEntry(entry)).toBe(true)
  })
  it.each([
    '',
    'localhost',
    '10.0.0',
    '10.1',
    '0x7f.1',
    '2130706433',
    '010.0.0.1',
    '10.0.0.1/33',
    '10.0.0.256',
    '1.2.3.4:80',
    '10.0.0.0-10.0.0.9',
    ':',
  ])('may not be %j', (entry) => {
    expect(isAddressEntry(entry)).toBe(false)
  })
  it('lets everybody in when there is none, and nobody whose address cannot be read', () => {
    expect(admits([], 'anything')).toBe(true)
    expect(admits(['10.0.0.0/8'], 'unknown')).toBe(false)
    expect(admits(['0.0.0.0/0'], '::1')).toBe(false)
    expect(admits(['::ffff:10.0.0.0/104'], '10.1.2.3')).toBe(true)
  })
})

describe('the validity period', () => {
  const period = { validStart: '2026-02-01', validEnd: '2026-02-28', disabled: false, whitelistIp: [] }
  it.each([
    ['2026-01-31T23:59:59Z', false],
    ['2026-02-01T00:00:00Z', true],
    ['2026-02-28T23:59:59Z', true],
    ['2026-03-01T00:00:00Z', false],
  ])('at %s: %s', (time, inside) => {
    expect(isWithinValidity(period, new Date(time))).toBe(inside)
  })
})
