import { Unproven } from './fault.ts'

/** A section of a manifest of the first scheme; names of attributes in lower case. */
export type Section = ReadonlyMap<string, string>

/** `main` speaks of the whole, the others of one file each. Lines are folded by bytes, in the middle of a character too. */
export function readSections(bytes: Buffer): { readonly main: Section; readonly files: ReadonlyMap<string, Section> } {
  const text = bytes.toString('latin1').replace(/\r\n?/g, '\n').replace(/\n /g, '')
  const [main = new Map(), ...rest] = text
    .split(/\n{2,}/)
    .filter((section) => section !== '')
    .map(readSection)
  const files = new Map<string, Section>()
  for (const section of rest) {
    const name = section.get('name')
    // Of two sections about one file a reader could take either.
    if (name === undefined || files.has(name)) throw new Unproven('blockBroken')
    files.set(name, section)
  }
  return { main, files }
}

function readSection(text: string): Section {
  const section = new Map<string, string>()
  for (const line of text.split('\n').filter((line) => line !== '')) {
    const colon = line.indexOf(': ')
    const key = line.slice(0, colon).toLowerCase()
    if (colon <= 0 || section.has(key)) throw new Unproven('blockBroken')
    section.set(key, Buffer.from(line.slice(colon + 2), 'latin1').toString('utf8'))
  }
  return section
}

const strengths = [
  ['sha-512', 'sha512'],
  ['sha-384', 'sha384'],
  ['sha-256', 'sha256'],
  ['sha1', 'sha1'],
  ['sha-1', 'sha1'],
] as const

/** The strongest digest a section has under a name such as `-digest`. */
export function digestNamed(section: Section, ending: string): { readonly hash: string; readonly digest: Buffer } {
  for (const [name, hash] of strengths) {
    const value = section.get(`${name}${ending}`)
    if (value !== undefined) return { hash, digest: Buffer.from(value, 'base64') }
  }
  throw new Unproven('algorithmUnknown')
}
