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

test('commands.ts joins the commands of every room', async () => {
  // Those that any device knows stand first in menus.
  const files = declarations('.commands.ts').sort(
    (a, b) => Number(b.startsWith('command/')) - Number(a.startsWith('command/')),
  )
  const nameOf = (file: string) =>
    file.replace(/^.*\/|\.commands\.ts$/g, '').replace(/-(.)/g, (_, first) => first.toUpperCase())
  const imports = declarations('.commands.ts').map((file) => `import { ${nameOf(file)}Commands } from './${file}'\n`)
  const joined = files.map((file) => `...${nameOf(file)}Commands`).join(', ')
  await expect(
    `${imports.join('')}\n/** Every command there is, by its name. */\nexport const commands = { ${joined} }\n`,
  ).toMatchFileSnapshot('./commands.ts')
})
