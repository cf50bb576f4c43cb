import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { errorCatalogue } from '../packages/contract/src/errors.ts'
import type { ErrorSpec } from '../packages/contract/src/kit/errors.ts'

const files = execFileSync(
  'git',
  ['ls-files', '--cached', '--others', '--exclude-standard', 'apps', 'packages', 'e2e'],
  {
    encoding: 'utf8',
  },
)
  .split('\n')
  .filter((name) => /\.tsx?$/.test(name))
const isTest = (name: string) => /\.(test|e2e)\.tsx?$|^e2e\/|\/src\/(test|security)\//.test(name)
const join = (names: readonly string[]) => names.map((name) => readFileSync(name, 'utf8')).join('\n')
const server = join(files.filter((name) => /^apps\/server\/src\//.test(name) && !isTest(name)))
const declarations = join(
  files.filter(
    (name) => /^packages\/contract\/src\//.test(name) && !isTest(name) && !/\.errors\.ts$|\/ranges\.ts$/.test(name),
  ),
)
const tests = join(files.filter((name) => isTest(name) && !/packages\/contract|apps\/console/.test(name)))

/** `api` is written as `commonErrors` where it is thrown. */
const constantOf = (room: string) => (room === 'api' ? 'commonErrors' : `${room}Errors`)
const codes = Object.entries(errorCatalogue).flatMap(([room, errors]) =>
  Object.entries<ErrorSpec>(errors).map(([name, { code }]) => ({ code, by: `${constantOf(room)}.${name}` })),
)
const named = (text: string, { code, by }: (typeof codes)[number]) =>
  new RegExp(`\\b${by.replace('.', '\\.')}\\b|\\b${code}\\b`).test(text)
/** Codes a route that is built can answer: the server throws them, or a declaration says so. */
const answered = codes.filter((each) => named(server, each) || named(declarations, each))

it('every code that can be answered is looked at by a test of the server or a journey', () => {
  const missed = answered.filter((each) => !named(tests, each))
  expect(missed.map(({ code, by }) => `${code} ${by}`)).toEqual([])
})
