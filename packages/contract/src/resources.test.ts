import { readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { deviceEventKinds } from './device/event-kinds.ts'

const here = new URL('.', import.meta.url)
/** The formatter puts `a.ts` before `a-b.ts`. */
const asFormatted = (name: string) => name.replaceAll('-', '~')
const byFormat = (a: string, b: string) => (asFormatted(a) < asFormatted(b) ? -1 : 1)
const declarations = (ending: string) =>
  readdirSync(here, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith(ending))
    .sort(byFormat)
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
  // As the formatter writes what is too long for one line.
  const joined = files.map((file) => `  ...${nameOf(file)}Commands,\n`).join('')
  await expect(
    `${imports.join('')}\n/** Every command there is, by its name. */\nexport const commands = {\n${joined}}\n`,
  ).toMatchFileSnapshot('./commands.ts')
})

const rooms = readdirSync(here, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && !['kit', 'texts', 'test'].includes(entry.name))
  .map((entry) => entry.name)
/** What its room alone uses. */
const inner = ['agreements.ts']
/** Known by a name of its own: its words are common ones. */
const named: Readonly<Record<string, string>> = { 'protocol.ts': '* as protocol' }

test.each(rooms)('%s/index.ts names every file of the room; write it anew in the same way', async (room) => {
  const lines = readdirSync(new URL(`${room}/`, here))
    .filter((name) => name.endsWith('.ts') && !name.includes('.test.') && name !== 'index.ts' && !inner.includes(name))
    .sort(byFormat)
    .map((name) => `export ${named[name] ?? '*'} from './${name}'\n`)
  await expect(lines.join('')).toMatchFileSnapshot(`./${room}/index.ts`)
})
