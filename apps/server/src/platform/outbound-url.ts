import ipaddr from 'ipaddr.js'

/** Names that lead inside by convention; so does any name without a dot. */
const insideName = /(^|\.)(localhost|localdomain|local|internal|intranet|lan|home|corp|private|arpa)$/

/** The part of IPv6 that is routed at all; everything public lies in it. */
const globalUnicast = ipaddr.parseCIDR('2000::/3') as [ipaddr.IPv6, number]

export const isPublicIp = (text: string): boolean => {
  const address = ipaddr.parse(text)
  if (address.range() !== 'unicast') return false
  return address.kind() === 'ipv4' || (address as ipaddr.IPv6).match(...globalUnicast)
}

/** Somebody's name or password inside an address is read by whoever reads the address. */
const namesSomebody = (text: string) => {
  if (!URL.canParse(text)) return true
  const { username, password } = new URL(text)
  return Boolean(username || password)
}

/** Whether an address that somebody enters may be kept: where private ones are allowed, still nobody's password in it. */
export const mayBeKept = (text: string, allowPrivate: boolean): boolean =>
  allowPrivate ? !namesSomebody(text) : isPublicAddress(text)

/**
 * Whether an address may be called or linked from here (behaviour: api.outside-links): http, https or ftp, no user name, and no
 * spelling of a loopback, private, link-local or otherwise special address. A public name may still resolve to a
 * private address: whoever connects must look at what it resolved to once more.
 */
export const isPublicAddress = (text: string): boolean => {
  // The parser would drop or turn these round; whoever reads the stored text next might not.
  if (/[\s\\\p{Cc}]/u.test(text) || !URL.canParse(text)) return false
  const { protocol, username, password, hostname } = new URL(text)
  if (!['http:', 'https:', 'ftp:'].includes(protocol) || username || password) return false
  // The parser has already written every odd form (hexadecimal, octal, one number, full-width digits) as four numbers.
  const host = hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.+$/, '')
  if (ipaddr.isValid(host)) return isPublicIp(host)
  return host.includes('.') && !insideName.test(host)
}
