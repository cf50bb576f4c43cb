import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { languages } from '../shell/language.ts'
import { wayOut } from './wayOut.ts'

const root = join(import.meta.dirname, '../../../../packages/contract/src/texts')

const read = (language: string, file: string): unknown => JSON.parse(readFileSync(join(root, language, file), 'utf8'))

/** Every word that stands under `action`: what buttons say, and so what questions ask. */
const verbsIn = (texts: unknown, under = false): string[] => {
  if (typeof texts === 'string') return under ? [texts] : []
  return Object.entries(texts as object).flatMap(([key, value]) => verbsIn(value, under || key === 'action'))
}

it.each(languages)('never offers two buttons that read the same (%s)', (language) => {
  const words = read(language, 'kit/kit.json') as { cancel: string; keep: string }
  const files = readdirSync(join(root, language), { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.json'),
  )
  const verbs = files.flatMap((file) => verbsIn(read(language, file)))
  expect(verbs.length).toBeGreaterThan(50)
  const alike = verbs.filter((verb) => {
    const other = wayOut(verb, words)
    return verb.includes(other) || other.includes(verb)
  })
  expect(alike).toEqual([])
})
