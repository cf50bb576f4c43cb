/** Bits of an address, most significant first; IPv4 stands in IPv6 as the server sees it (`::ffff:a.b.c.d`). */
function bitsOf(address: string): string | undefined {
  const v4 = /^(?:::ffff:)?(\d{1,3}(?:\.\d{1,3}){3})$/i.exec(address.trim())?.[1]
  if (v4 !== undefined) {
    const bytes = v4.split('.').map(Number)
    return bytes.every((byte) => byte <= 255)
      ? bytes.map((byte) => byte.toString(2).padStart(8, '0')).join('')
      : undefined
  }
  return v6Bits(address.trim())
}

function v6Bits(address: string): string | undefined {
  const [head = '', tail, ...more] = address.split('::')
  if (more.length > 0 || !address.includes(':')) return undefined
  const left = head === '' ? [] : head.split(':')
  const right = tail === undefined || tail === '' ? [] : tail.split(':')
  const missing = 8 - left.length - right.length
  if (tail === undefined ? missing !== 0 : missing < 1) return undefined
  const groups = [...left, ...Array.from({ length: missing }, () => '0'), ...right]
  if (!groups.every((group) => /^[0-9a-f]{1,4}$/i.test(group))) return undefined
  return groups.map((group) => Number.parseInt(group, 16).toString(2).padStart(16, '0')).join('')
}

/** Does a whitelist entry (an address, or a network `10.0.0.0/8`) let this address in? Undefined when it is neither. */
export function entryCovers(entry: string, address: string): boolean | undefined {
  const [base = '', length, ...more] = entry.trim().split('/')
  const network = bitsOf(base)
  const wanted = bitsOf(address)
  if (network === undefined || more.length > 0) return undefined
  const bits = length === undefined ? network.length : /^\d{1,3}$/.test(length) ? Number(length) : -1
  if (bits < 0 || bits > network.length) return undefined
  return wanted !== undefined && wanted.length === network.length && wanted.startsWith(network.slice(0, bits))
}

/** Entries nobody can be let in by: neither an address nor a network. */
export const wrongEntries = (entries: readonly string[]): string[] =>
  entries.filter((entry) => entryCovers(entry, '0.0.0.0') === undefined)

/** An empty list lets everybody in (behaviour: sign-in.addresses). */
export const isCovered = (entries: readonly string[], address: string): boolean =>
  entries.length === 0 || entries.some((entry) => entryCovers(entry, address) === true)
