import { readFileSync } from 'node:fs'
import { endpoints, resources } from '@campanile/contract'
import { expect, test } from 'vitest'
import { describeApi } from './document.ts'
import { apiPage } from './page.ts'
import type { Json } from './schema.ts'

const { version } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'))
const document = describeApi(resources, endpoints, version)

test('docs/openapi.json says what the declarations say; write it anew with `npm run test:unit -- openapi -u`', async () => {
  await expect(`${JSON.stringify(document, null, 2)}\n`).toMatchFileSnapshot('../../../../../docs/openapi.json')
})

test('every reference leads somewhere and every operation has a name of its own', () => {
  const { schemas } = document.components as { schemas: Record<string, Json> }
  const wanted = [...JSON.stringify(document).matchAll(/#\/components\/schemas\/(\w+)/g)].map((match) => match[1] ?? '')
  expect(wanted.filter((name) => !(name in schemas))).toEqual([])
  const ids = Object.values(document.paths as Record<string, Record<string, { operationId: string }>>).flatMap(
    (methods) => Object.values(methods).map((operation) => operation.operationId),
  )
  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([])
})

test('a password is taken, never given', () => {
  const { schemas } = document.components as { schemas: Record<string, { properties: Json }> }
  expect(schemas.UserDraft?.properties).toHaveProperty('password')
  expect(schemas.UserRow?.properties).not.toHaveProperty('password')
})

test('the page runs no script, loads nothing and escapes what it shows', () => {
  const page = apiPage({ ...document, info: { title: '<img src=x onerror=1>', version: '1', description: '"&' } })
  expect(page).not.toMatch(/<script|<img|<link|src=x onerror=1>|https?:\/\/(?!www\.w3)/)
  expect(page).toContain('&lt;img src=x onerror=1&gt;')
})
