import type { Config } from '../android/config.ts'
import type { Variant } from '../android/resources.ts'
import { tidy } from './texts.ts'

/** What an app calls itself: for everybody, and in the languages it has of ours. */
export interface Label {
  readonly default: string
  readonly en?: string
  readonly 'zh-CN'?: string
  readonly 'zh-TW'?: string
}

const longestLabel = 255

/** How well a variant suits a language: 0 is not at all. */
const suits: Readonly<Record<keyof Label, (config: Config) => number>> = {
  default: ({ language }) => (language === '' ? 1 : 0),
  en: ({ language, country }) => {
    // Places that begin with X do not exist: programmers try their screens with them.
    if (language !== 'en' || country.startsWith('X')) return 0
    return country === '' ? 3 : country === 'US' ? 2 : 1
  },
  'zh-CN': ({ language, country, script }) => {
    if (language !== 'zh' || script === 'Hant') return 0
    if (country === 'CN') return 4
    if (script === 'Hans') return 3
    return country === '' ? 2 : country === 'SG' ? 1 : 0
  },
  'zh-TW': ({ language, country, script }) => {
    if (language !== 'zh' || script === 'Hans') return 0
    if (country === 'TW') return 4
    if (country === 'HK') return 3
    return script === 'Hant' ? 2 : country === 'MO' ? 1 : 0
  },
}

function bestFor(language: keyof Label, variants: readonly Variant[]): string | undefined {
  const better = (a: Variant, b: Variant) =>
    suits[language](b.config) - suits[language](a.config) || a.config.conditions - b.config.conditions
  const best = variants.filter(({ config }) => suits[language](config) > 0).sort(better)[0]
  return best?.value.text
}

/** `otherwise` is what an app is called that has no name: its package. */
export function labelOf(variants: readonly Variant[], otherwise: string): Label {
  const named = variants.flatMap(({ config, value }) => {
    const text = tidy(value.text ?? '', longestLabel)
    return text === '' ? [] : [{ config, value: { ...value, text } }]
  })
  const found = (['en', 'zh-CN', 'zh-TW'] as const).flatMap((language) => {
    const text = bestFor(language, named)
    return text === undefined ? [] : [[language, text] as const]
  })
  const everybody = bestFor('default', named) ?? found[0]?.[1] ?? named[0]?.value.text ?? otherwise
  return { default: everybody, ...Object.fromEntries(found) }
}
