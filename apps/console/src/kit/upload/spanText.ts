const units: readonly (readonly ['hour' | 'minute' | 'second', number])[] = [
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
]

/** "2 min", "35 sec": the largest unit that fits, as the language says it. */
export const spanText = (seconds: number, language: string): string => {
  const [unit, size] = units.find(([, each]) => seconds >= each) ?? (['second', 1] as const)
  return new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'short' }).format(
    Math.max(1, Math.ceil(seconds / size)),
  )
}
