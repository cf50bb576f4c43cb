import { readdirSync } from 'node:fs'
import { expect, test } from 'vitest'

const declarations = readdirSync(new URL('.', import.meta.url), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.resource.ts'))
  .sort()

test('resources.ts names every declaration; write it anew with `npm run test:unit -- resources -u`', async () => {
  const lines = declarations.map((name) => `export * from './${name}'\n`)
  await expect(lines.join('')).toMatchFileSnapshot('./resources.ts')
})
