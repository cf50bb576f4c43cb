import { expect, it } from 'vitest'
import { networkOf } from './address.ts'

it.each([
  ['2001:db8:1:2::1', '2001:db8:1:2::/64'],
  ['2001:DB8:1:2:ffff:ffff:ffff:ffff', '2001:db8:1:2::/64'],
  ['[2001:db8:1:2::9]:5000', '2001:db8:1:2::/64'],
  ['fe80::1%eth0', 'fe80::/64'],
  ['::1', '::/64'],
  ['10.0.0.1', '10.0.0.1'],
  ['10.0.0.1:5000', '10.0.0.1'],
  ['::ffff:10.0.0.1', '10.0.0.1'],
  ['::FFFF:0a00:0001', '10.0.0.1'],
  ['', ''],
  ['no address', 'no address'],
])('counts %s as %s', (ip, network) => {
  expect(networkOf(ip)).toBe(network)
})
