/** Words one after another in a language's own way: “A, B and C”. */
export const listFormat = (language: string): Intl.ListFormat =>
  new Intl.ListFormat(language === 'en' ? 'en-GB' : language, { type: 'conjunction' })

const han = /^\p{Script=Han}$/u

/** What stands before each of so many names or numbers in such a row. In Chinese there is a blank beside them. */
export const joints = (language: string, count: number): string[] => [
  '',
  ...listFormat(language)
    .formatToParts(Array.from({ length: count }, String))
    .flatMap(({ type, value }) => (type === 'literal' ? [han.test(value) ? ` ${value} ` : value] : [])),
]

export const namesListed = (language: string, names: readonly string[]): string => {
  const before = joints(language, names.length)
  return names.map((name, at) => `${before[at]}${name}`).join('')
}
