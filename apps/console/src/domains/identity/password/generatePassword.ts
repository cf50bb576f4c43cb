// Without 0 O 1 l I: people read generated passwords aloud. The symbols are those both password profiles accept.
const kinds = ['ABCDEFGHJKLMNPQRSTUVWXYZ', 'abcdefghijkmnopqrstuvwxyz', '23456789', '!@#$%^&*'] as const
const length = 14

type Random = (below: number) => number

/** Even: a byte that would favour the first characters is thrown away. */
const secureRandom: Random = (below) => {
  const limit = 256 - (256 % below)
  const byte = new Uint8Array(1)
  do crypto.getRandomValues(byte)
  while ((byte[0] as number) >= limit)
  return (byte[0] as number) % below
}

const pick = (from: string, random: Random) => from[random(from.length)] as string

/** One of every kind, the rest from all of them, in random order: passes every password profile there is. */
export function generatePassword(random: Random = secureRandom): string {
  const all = kinds.join('')
  const characters = [...kinds, ...Array.from({ length: length - kinds.length }, () => all)].map((from) =>
    pick(from, random),
  )
  for (let at = characters.length - 1; at > 0; at -= 1) {
    const other = random(at + 1)
    const held = characters[at] as string
    characters[at] = characters[other] as string
    characters[other] = held
  }
  return characters.join('')
}
