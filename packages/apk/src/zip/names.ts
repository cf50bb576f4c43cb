import { Refusal } from '../refusal.ts'

const longestName = 4096
const strictly = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Older programs write names in a code page of their own: those are shown byte by byte. What decides is in ASCII. */
function decode(bytes: Buffer, mustBeUtf8: boolean): string {
  try {
    return strictly.decode(bytes)
  } catch {
    if (mustBeUtf8) throw new Refusal('nameWrong')
    return bytes.toString('latin1')
  }
}

const holdsControl = (name: string) => /\p{Cc}/u.test(name)
const isAbsolute = (name: string) => name.startsWith('/') || /^[a-z]:/i.test(name)

/** The name as it is written, or a refusal: nothing in an archive may name a place outside the folder it is put in. */
export function readName(bytes: Buffer, mustBeUtf8: boolean, levels: number): string {
  if (bytes.length === 0 || bytes.length > longestName) throw new Refusal('nameWrong')
  const name = decode(bytes, mustBeUtf8)
  if (holdsControl(name)) throw new Refusal('nameWrong', JSON.stringify(name))
  const parts = name.split('/')
  if (isAbsolute(name) || name.includes('\\') || parts.includes('..')) throw new Refusal('nameLeaves', name)
  if (parts.length > levels) throw new Refusal('nameTooDeep', name.slice(0, 100))
  return name
}

/** Where an entry comes to lie: `a//b` and `./a/b` are the same place as `a/b`. */
export const placeOf = (name: string): string =>
  name
    .split('/')
    .filter((part) => part !== '' && part !== '.')
    .join('/')
