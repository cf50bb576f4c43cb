import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

const root = new URL('../', import.meta.url)
const sheets = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(
  (path) => path.endsWith('.css') && !path.startsWith('theme/'),
)

/** The class of a rule that speaks of one class alone: `.field label`, not `.card .field`. */
const loneClass = (selector: string) => /^\.([a-z][\w-]*)(?:[\s>+~]+[a-z]+\d?|::?[a-z-]+)*$/.exec(selector)?.[1]

const classesOf = (path: string) => {
  const text = readFileSync(new URL(path, root), 'utf8').replace(/\/\*[\s\S]*?\*\//g, '')
  const selectors = [...text.matchAll(/([^{}]+)\{/g)].flatMap(([, head = '']) => head.split(','))
  return new Set(selectors.flatMap((selector) => loneClass(selector.trim()) ?? []))
}

// A stylesheet stays once its screen was open: what it says of a class it says to every screen opened later.
it('a class is styled by one stylesheet alone', () => {
  const owners = new Map<string, string[]>()
  for (const path of sheets) for (const name of classesOf(path)) owners.set(name, [...(owners.get(name) ?? []), path])
  expect([...owners].filter(([, paths]) => paths.length > 1)).toEqual([])
})
