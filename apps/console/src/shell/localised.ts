import type { Language } from './language.ts'

/** Text the server keeps in several languages, under its own spelling of them. */
export type Localised = { en?: string; 'zh-cn'?: string; 'zh-tw'?: string }

const keyOf = (language: Language) => language.toLowerCase() as keyof Localised

export function pickText(texts: Localised, language: Language): string | undefined {
  for (const key of [keyOf(language), 'en', 'zh-cn', 'zh-tw'] as const) {
    const text = texts[key]
    if (typeof text === 'string' && text !== '') return text
  }
  return undefined
}

/** A title is plain text or JSON text with a variant per language; malformed JSON is shown as it came. */
export function localiseTitle(title: string, language: Language): string {
  const variants = parseVariants(title)
  return variants === undefined ? title : (pickText(variants, language) ?? title)
}

/** Every variant of a title, so that search finds a screen by its name in any language. */
export function everyTitle(title: string): string[] {
  const variants = parseVariants(title)
  return variants === undefined ? [title] : Object.values(variants).filter((text) => typeof text === 'string')
}

function parseVariants(title: string): Localised | undefined {
  if (!title.trimStart().startsWith('{')) return undefined
  try {
    const parsed: unknown = JSON.parse(title)
    return typeof parsed === 'object' && parsed !== null ? parsed : undefined
  } catch {
    return undefined
  }
}
