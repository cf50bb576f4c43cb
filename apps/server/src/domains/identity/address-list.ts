import ipaddr from 'ipaddr.js'

const parse = (text: string) => (ipaddr.isValid(text) ? ipaddr.process(text) : undefined)

const parseRange = (text: string): [ipaddr.IPv4 | ipaddr.IPv6, number] | undefined => {
  if (!ipaddr.isValidCIDR(text)) return undefined
  const [base, bits] = ipaddr.parseCIDR(text)
  // A range written over mapped addresses means the IPv4 range inside.
  return base instanceof ipaddr.IPv6 && base.isIPv4MappedAddress() && bits >= 96
    ? [base.toIPv4Address(), bits - 96]
    : [base, bits]
}

/** IPv4, IPv6 or a range of either. Short and octal spellings are refused, since people disagree on what they mean (behaviour: sign-in.addresses). */
export const isAddressEntry = (text: string): boolean =>
  /^(0|[1-9]\d*)(\.(0|[1-9]\d*)){3}(\/\d+)?$/.test(text) || text.includes(':')
    ? parse(text) !== undefined || parseRange(text) !== undefined
    : false

/** An empty list lets everybody in; an entry nobody can read lets nobody in. */
export const admits = (list: readonly string[], ip: string): boolean => {
  if (list.length === 0) return true
  const address = parse(ip)
  if (!address) return false
  return list.some((entry) => {
    const range = parseRange(entry)
    if (range) return address.kind() === range[0].kind() && address.match(range[0], range[1])
    const single = parse(entry)
    return single?.toString() === address.toString()
  })
}
