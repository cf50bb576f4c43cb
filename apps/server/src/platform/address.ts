import ipaddr from 'ipaddr.js'

/**
 * `::ffff:10.0.0.1` and `fe80::1%eth0` are the same machines as `10.0.0.1` and `fe80::1`; some proxies add the port,
 * as in `10.0.0.1:5000` and `[fe80::1]:5000`.
 */
export const plainAddress = (ip: string): string =>
  ip
    .replace(/^\[(.*)\](:\d+)?$/, '$1')
    .replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, '$1')
    .replace(/^::ffff:(?=\d+\.)/i, '')
    .replace(/%.*$/, '')
    .toLowerCase()

/**
 * What is counted wherever addresses are: one home line holds a whole IPv6 /64, so the network and not the address. An IPv4
 * address stands for itself, also where it is written as an IPv6 one.
 */
export const networkOf = (ip: string): string => {
  const plain = plainAddress(ip)
  if (!ipaddr.isValid(plain)) return plain
  const address = ipaddr.process(plain)
  if (!(address instanceof ipaddr.IPv6)) return address.toString()
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${address.toString()}/64`).toString()}/64`
}
