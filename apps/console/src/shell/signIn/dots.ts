export type Dot = { x: number; y: number; r: number; tone: 'good' | 'off' | 'warning' }

/** Radii of the rings around the tower, inner to outer, in the units of the drawing. */
export const ringRadii = [79, 149, 219, 289, 359, 429, 499, 569, 639]

/** More would be a grey disc; the sentence below the rings still says the number. */
const mostDots = 400

const goldenAngle = Math.PI * (3 - Math.sqrt(5))

/** Spread over the rings in view in proportion to their length; the same number always gives the same picture. */
export function placeDots(count: number, toneOf: (index: number) => Dot['tone'] = () => 'good'): Dot[] {
  const rings = ringRadii.slice(1, 6)
  const whole = rings.reduce((sum, radius) => sum + radius, 0)
  const shown = Math.min(count, mostDots)
  return Array.from({ length: shown }, (_, index) => {
    const radius = pickRing(rings, ((index * Math.SQRT2) % 1) * whole)
    const angle = index * goldenAngle
    const r = 4 + ((index * 7) % 3) * 1.25
    return { x: radius * Math.cos(angle), y: radius * Math.sin(angle), r, tone: toneOf(index) }
  })
}

function pickRing(rings: readonly number[], at: number): number {
  let passed = 0
  for (const radius of rings) {
    passed += radius
    if (at < passed) return radius
  }
  return rings.at(-1) ?? 0
}

/** Shown when the installation keeps its number to itself: a drawing, not a claim. */
export const stillDots = placeDots(34, (index) => (index % 11 === 3 ? 'warning' : index % 6 === 4 ? 'off' : 'good'))
