import { randomInt } from 'node:crypto'

/** Strokes on a grid of 4 by 6, points as two digits. Letters that are taken for digits, and the reverse, are left out. */
const glyphs: Readonly<Record<string, string>> = {
  A: '06 20 46,14 34',
  C: '41 30 10 01 05 16 36 45',
  E: '40 00 06 46,03 33',
  F: '40 00 06,03 33',
  H: '00 06,40 46,03 43',
  J: '10 40,30 35 26 16 05',
  K: '00 06,40 03 46',
  L: '00 06 46',
  M: '06 00 23 40 46',
  N: '06 00 46 40',
  P: '06 00 30 41 42 33 03',
  R: '06 00 30 41 42 33 03,23 46',
  T: '00 40,20 26',
  V: '00 26 40',
  W: '00 16 23 36 40',
  X: '00 46,40 06',
  Y: '00 23 40,23 26',
  3: '00 40 23 33 44 45 36 16 05',
  4: '36 30 04 44',
  6: '40 20 02 05 16 36 45 44 33 13 04',
  7: '00 40 16',
  9: '42 33 13 02 01 10 30 41 42 44 26 06',
}
const alphabet = Object.keys(glyphs)
const width = 120
const height = 40
const length = 4

/** Uniform in [low, high) to a hundredth. */
const between = (low: number, high: number) => randomInt(Math.round(low * 100), Math.round(high * 100)) / 100
const pick = <T>(from: readonly T[]): T => from[randomInt(from.length)] as T
const point = (x: number, y: number) => `${x.toFixed(1)} ${y.toFixed(1)}`

export const captchaAnswer = () => Array.from({ length }, () => pick(alphabet)).join('')

/** Bent and shaken, so that the same letter is never the same path. */
const stroke = (points: readonly (readonly [number, number])[]) =>
  points
    .map(([x, y], at) => {
      if (at === 0) return `M${point(x, y)}`
      const [fromX, fromY] = points[at - 1] as readonly [number, number]
      const bend = point((fromX + x) / 2 + between(-2, 2), (fromY + y) / 2 + between(-2, 2))
      return `Q${bend} ${point(x, y)}`
    })
    .join('')

const drawGlyph = (character: string, left: number): string[] => {
  const angle = between(-0.25, 0.25)
  const scale = between(4, 4.7)
  const skew = between(-0.2, 0.2)
  const top = height / 2 + between(-3, 3)
  return (glyphs[character] ?? '').split(',').map((line) =>
    stroke(
      line.split(' ').map((pair) => {
        const x = (Number(pair[0]) - 2) * scale * 1.2 + between(-0.7, 0.7)
        const y = (Number(pair[1]) - 3) * scale + between(-0.7, 0.7)
        const leaning = x + y * skew
        return [
          left + leaning * Math.cos(angle) - y * Math.sin(angle),
          top + leaning * Math.sin(angle) + y * Math.cos(angle),
        ]
      }),
    ),
  )
}

const noise = () =>
  stroke(Array.from({ length: 3 }, (_, at) => [between(0, 30) + at * 38, between(4, height - 4)] as const))

const speck = () =>
  `M${point(between(2, width - 2), between(2, height - 2))}l${point(between(0.5, 2), between(-1.5, 1.5))}`

/** Letters stand out for an eye; the rest is drawn with the same pen, thinner and lighter. */
const inked = (path: string, lightness: readonly [number, number], thickness: readonly [number, number]) => {
  const colour = `hsl(${randomInt(200, 255)} ${randomInt(35, 70)}% ${randomInt(...lightness)}%)`
  return `<path d="${path}" stroke="${colour}" stroke-width="${between(...thickness)}"/>`
}

const shuffled = <T>(items: readonly T[]): T[] => {
  const rest = [...items]
  return Array.from({ length: rest.length }, () => rest.splice(randomInt(rest.length), 1)[0] as T)
}

/** Paths in random order and nothing else: no text, no title, nothing that spells the answer. */
export const drawCaptcha = (answer: string): string => {
  const letters = [...answer].flatMap((character, at) => drawGlyph(character, 18 + at * 28 + between(-2, 2)))
  const rest = [noise(), noise(), ...Array.from({ length: 18 }, speck)]
  const paths = shuffled([
    ...letters.map((path) => inked(path, [26, 40], [2.3, 2.9])),
    ...rest.map((path) => inked(path, [48, 66], [0.9, 1.4])),
  ])
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" fill="none" stroke-linecap="round" stroke-linejoin="round"><rect width="${width}" height="${height}" fill="#f3f6fb"/>${paths.join('')}</svg>`
  return `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`
}
