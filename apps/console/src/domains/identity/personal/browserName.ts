/** In this order: each of them also says the names of those below it. */
const browsers = [
  ['Edge', /Edg\//],
  ['Opera', /OPR\//],
  ['Firefox', /Firefox\//],
  ['Chrome', /Chrom(?:e|ium)\//],
  ['Safari', /Safari\//],
] as const
const systems = [
  ['Windows', /Windows/],
  ['Android', /Android/],
  ['iOS', /iPhone|iPad/],
  ['macOS', /Mac OS X/],
  ['Linux', /Linux/],
] as const

/** What a browser calls itself, in two words; a program's own words are left as they are. */
export const browserName = (userAgent: string): string => {
  const named = (all: readonly (readonly [string, RegExp])[]) => all.find(([, mark]) => mark.test(userAgent))?.[0]
  const browser = named(browsers)
  if (browser === undefined) return userAgent.slice(0, 60) || '–'
  return [browser, named(systems)].filter(Boolean).join(' · ')
}
