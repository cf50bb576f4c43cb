import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { encoding: 'utf8' })
  .split('\n')
  .filter((name) => /^(apps|packages|scripts|bench|e2e)\/.*\.(tsx?|mjs)$/.test(name) && !name.includes('/dist/'))
const written = readFileSync('docs/behaviour.md', 'utf8')
const names = [...written.matchAll(/^- \*\*([a-z0-9-]+\.[a-z0-9-]+)\*\*: /gm)].map((found) => found[1] as string)

it('names each rule of the product once', () => {
  expect(names.length).toBeGreaterThan(50)
  expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([])
})

it('has every rule that code cites', () => {
  const cited = files.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/\bbehaviour: ([a-z0-9-]+\.[a-z0-9-]+)/g)].map(
      (found) => [file, found[1] as string] as const,
    ),
  )
  expect(cited.length).toBeGreaterThan(50)
  expect(cited.filter(([, name]) => !names.includes(name))).toEqual([])
})

it('cites nothing a reader of the repository could not open', () => {
  const outside = files.flatMap((file) =>
    readFileSync(file, 'utf8')
      .split('\n')
      .filter(
        (line) =>
          /\breadings? \d|§ ?\d|\/\*\* S\d{3}\b/.test(line) && !/\bRFC \d+ §/.test(line) && !line.includes('\\d'),
      )
      .map((line) => `${file}: ${line.trim()}`),
  )
  expect(outside).toEqual([])
})
