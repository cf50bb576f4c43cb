import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { choices } from './choices.ts'

const read = (name: string) => readFileSync(new URL(name, import.meta.url), 'utf8')

/** The custom properties of every rule whose selector list contains exactly this selector. */
function declared(css: string, selector: string): Map<string, string> {
  const rules = [...css.replaceAll(/\/\*[\s\S]*?\*\//g, '').matchAll(/([^{}]+)\{([^{}]*)\}/g)]
  const mine = rules.filter(([, list = '']) =>
    list.split(',').some((each) => each.trim().replaceAll('"', "'") === selector),
  )
  return new Map(
    mine.flatMap(([, , body = '']) =>
      [...body.matchAll(/--([\w-]+):\s*(#[0-9a-f]{6})/g)].map(([, n = '', v = '']) => [n, v]),
    ),
  )
}

function luminance(hex: string): number {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(hex.slice(at, at + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

function contrast(a: string, b: string): number {
  const [light = 0, dark = 0] = [luminance(a), luminance(b)].sort((x, y) => y - x)
  return (light + 0.05) / (dark + 0.05)
}

const tokens = read('./tokens.css')
const accents = read('./accents.css')
const light = declared(tokens, ':root')
const themes = {
  light,
  dark: new Map([...light, ...declared(tokens, ":root[data-theme='dark']")]),
}
const looks = (['light', 'dark'] as const).flatMap((theme) =>
  choices.accent.map((accent) => {
    const selector = theme === 'light' ? `[data-accent='${accent}']` : `[data-theme='dark'] [data-accent='${accent}']`
    return { theme, accent, colours: new Map([...themes[theme], ...declared(accents, selector)]) }
  }),
)

/** What is written on what, everywhere in the console. */
const written = [
  ['ink', 'page'],
  ['ink-2', 'page'],
  ['ink-2', 'surface'],
  ['ink-2', 'sunken'],
  ['placeholder', 'surface'],
  ['placeholder', 'sunken'],
  ['accent', 'surface'],
  ['accent', 'accent-soft'],
  ['on-accent', 'accent'],
  ['good-ink', 'good-soft'],
  ['warning-ink', 'warning-soft'],
  ['bad-ink', 'bad-soft'],
  ['bad-ink', 'surface'],
] as const

describe.each(looks)('$theme with $accent', ({ colours }) => {
  it.each(written)('%s can be read on %s', (text, ground) => {
    const pair = [colours.get(text), colours.get(ground)]
    expect(pair).not.toContain(undefined)
    expect(contrast(pair[0] ?? '', pair[1] ?? '')).toBeGreaterThanOrEqual(4.5)
  })
})
