import { readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { deviceEventKinds } from './registry.ts'

const declarations = (ending: string) =>
  readdirSync(new URL('.', import.meta.url), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith(ending))
    .sort()
const linesOf = (ending: string) =>
  declarations(ending)
    .map((name) => `export * from './${name}'\n`)
    .join('')

test('resources.ts names every declaration; write it anew with `npm run test:unit -- resources -u`', async () => {
  await expect(linesOf('.resource.ts')).toMatchFileSnapshot('./resources.ts')
})

test('events.ts names every kind of event that rooms take from devices, each by a word of its own', async () => {
  await expect(linesOf('.events.ts')).toMatchFileSnapshot('./events.ts')
  const words = deviceEventKinds.map(({ type }) => type)
  expect(words).toEqual([...new Set(words)])
})
