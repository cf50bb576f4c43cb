import { readdirSync } from 'node:fs'
import { expect, test } from 'vitest'

const here = new URL('.', import.meta.url)
const declarations = readdirSync(here, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.resource.ts'))
  .sort()

test('resources.ts names every declaration; write it anew with `npm run test:unit -- resources -u`', async () => {
  const lines = declarations.map((name) => `export * from './${name}'\n`)
  await expect(lines.join('')).toMatchFileSnapshot('./resources.ts')
})

const rooms = readdirSync(here, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && !['kit', 'texts', 'test'].includes(entry.name))
  .map((entry) => entry.name)
/** What its room alone uses. */
const inner = ['agreements.ts']
/** Known by a name of its own: its words are common ones. */
const named: Readonly<Record<string, string>> = { 'protocol.ts': '* as protocol' }

/** The formatter puts `a.ts` before `a-b.ts`. */
const asFormatted = (name: string) => name.replaceAll('-', '~')

test.each(rooms)('%s/index.ts names every file of the room; write it anew in the same way', async (room) => {
  const lines = readdirSync(new URL(`${room}/`, here))
    .filter((name) => name.endsWith('.ts') && !name.includes('.test.') && name !== 'index.ts' && !inner.includes(name))
    .sort((a, b) => (asFormatted(a) < asFormatted(b) ? -1 : 1))
    .map((name) => `export ${named[name] ?? '*'} from './${name}'\n`)
  await expect(lines.join('')).toMatchFileSnapshot(`./${room}/index.ts`)
})
