import { endsWith, folded, stepsOf } from '../path-text.ts'

interface Line {
  readonly number: number
  readonly texts: Readonly<Record<string, string>>
}

/** Which other row of the file a cell means: by its name, or by its name and those the file says stand above it (`A / B`). */
export const createRowFinder = (lines: readonly Line[], identity: string, under: string) => {
  const byName = new Map<string, Line[]>()
  for (const line of lines) {
    const name = folded(line.texts[identity] ?? '')
    byName.set(name, [...(byName.get(name) ?? []), line])
  }
  return ({ number, texts }: Line): number | 'ambiguous' | undefined => {
    const wanted = stepsOf(texts[under] ?? '')
    const above = wanted.slice(0, -1)
    const [only, another] = (byName.get(wanted.at(-1) ?? '') ?? []).filter(
      (other) => other.number !== number && endsWith(stepsOf(other.texts[under] ?? ''), above),
    )
    return another ? 'ambiguous' : only?.number
  }
}

/** Rows as they can be made, each after the one it stands under. Rows that stand under each other in a circle are left out. */
export const byLevel = <T extends { readonly number: number; readonly above: number | null }>(
  rows: readonly T[],
): T[][] => {
  const waiting = new Set(rows.map((row) => row.number))
  const levels: T[][] = []
  for (let left = rows; left.length > 0; left = left.filter((row) => waiting.has(row.number))) {
    const level = left.filter(({ above }) => above === null || !waiting.has(above))
    if (level.length === 0) break
    levels.push(level)
    for (const { number } of level) waiting.delete(number)
  }
  return levels
}
