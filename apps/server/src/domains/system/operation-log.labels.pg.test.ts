import { readFileSync } from 'node:fs'
import { operationTypes, resources } from '@campanile/contract'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../../test/app.ts'

let test: TestApp
beforeAll(async () => {
  test = await startTestApp()
})
afterAll(() => test.stop())

const texts = new URL('../../../../../packages/contract/src/texts/en/system/operationLog.json', import.meta.url)
const named = Object.keys((JSON.parse(readFileSync(texts, 'utf8')) as { module: object }).module)
const logged = () => test.app.routesDeclared.filter(({ rules }) => rules.logged !== null)

it('every module that writes a line is a resource or has a name of its own', () => {
  const known = [...resources.map(({ name }) => name), ...named]
  const modules = [...new Set(logged().map(({ rules }) => rules.module))]
  expect(modules.filter((module) => !known.includes(module))).toEqual([])
})

it('every module with a name of its own writes lines', () => {
  const modules = new Set(logged().map(({ rules }) => rules.module))
  expect(named.filter((module) => !modules.has(module))).toEqual([])
})

it('every type of line has a word', () => {
  const types = new Set(logged().map(({ rules }) => rules.logged as string))
  expect([...types].filter((type) => !operationTypes.some((known) => known === type))).toEqual([])
})
