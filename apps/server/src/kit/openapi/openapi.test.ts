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

/** Where a schema says nothing: any object, or anything at all. */
const bareAt = (schema: Json, path: string): string[] => {
  const names = Object.keys(schema).filter((name) => !['title', 'description', 'default'].includes(name))
  if (names.length === 0) return [path]
  const { properties, additionalProperties: more, items, anyOf = [], oneOf = [], allOf = [] } = schema
  const parts: [string, unknown][] = [
    ...Object.entries((properties ?? {}) as Json),
    ...[more, items].flatMap((part): [string, unknown][] => (typeof part === 'object' ? [['*', part]] : [])),
    ...[anyOf, oneOf, allOf].flatMap((each) => Object.entries(each as object)),
  ]
  const isBare = schema.type === 'object' && !properties && typeof more !== 'object'
  const isList = schema.type === 'array' && !items && !schema.prefixItems
  return [
    ...(isBare || isList || more === true ? [path] : []),
    ...parts.flatMap(([name, part]) => bareAt(part as Json, `${path}.${name}`)),
  ]
}

test('nothing that is sent or answered is just any object', () => {
  const { schemas } = document.components as { schemas: Record<string, Json> }
  type Content = { content?: Record<string, { schema: Json }> }
  type Operation = { parameters?: { name: string; schema: Json }[]; requestBody?: Content; responses: Json }
  const operations = Object.entries(document.paths as Record<string, Record<string, Operation>>).flatMap(
    ([path, methods]) => Object.entries(methods).map(([method, each]) => [`${method} ${path}`, each] as const),
  )
  const found = [
    ...Object.entries(schemas).flatMap(([name, schema]) => bareAt(schema, name)),
    ...operations.flatMap(([name, { parameters = [], requestBody, responses }]) => [
      ...parameters.flatMap((parameter) => bareAt(parameter.schema, `${name} ?${parameter.name}`)),
      ...[requestBody, ...Object.values(responses)].flatMap((part) =>
        Object.values((part as Content | undefined)?.content ?? {}).flatMap(({ schema }) => bareAt(schema, name)),
      ),
    ]),
  ]
  expect(found).toEqual([])
})

test('a field with a second name stands under both, where it is asked for, taken and given', () => {
  const { schemas } = document.components as {
    schemas: Record<string, { properties: Json; required: string[]; allOf?: unknown }>
  }
  const { DeviceGroupRow: row, DeviceGroupDraft: draft } = schemas
  expect(row?.properties.groupName).toEqual(row?.properties.name)
  expect(row?.required).toEqual(expect.arrayContaining(['name', 'groupName']))
  expect(draft?.properties).toHaveProperty('groupName')
  expect(draft?.required).not.toContain('name')
  expect(draft?.allOf).toEqual([{ anyOf: [{ required: ['name'] }, { required: ['groupName'] }] }])
  const { paths } = document as { paths: Record<string, { get: { parameters: { name: string }[] } }> }
  const asked = paths['/api/v3/device/group/list']?.get.parameters.map(({ name }) => name)
  expect(asked).toEqual(expect.arrayContaining(['name', 'groupName']))
})

test('a filter of a choice says what it takes, an end of a span what it is the end of, and an export takes the same', () => {
  type Parameter = { name: string; description?: string; schema: Json }
  type Asking = { parameters: Parameter[]; requestBody: { content: Record<string, { schema: Json }> } }
  const { paths } = document as { paths: Record<string, { get: Asking; post: Asking; delete: Asking }> }
  const asked = new Map(paths['/api/v3/device/basic/list']?.get.parameters.map((each) => [each.name, each]))
  const charging = { type: 'string', enum: ['unknown', 'charging', 'notCharging'] }
  expect(asked.get('charging')?.schema).toMatchObject({ type: 'array', items: charging })
  expect(asked.get('endTime')?.description).toBe('lastConnected before this')
  const exported = paths['/api/v3/device/basic/export']?.post.requestBody.content['application/json']?.schema
  expect(exported).toMatchObject({
    properties: {
      filters: {
        properties: {
          charging: { anyOf: [charging, asked.get('charging')?.schema] },
          batteryMax: { type: 'number' },
        },
      },
    },
  })
  expect(paths['/api/v1/oauth/users/delete']?.delete.parameters.map(({ name }) => name)).toEqual(['userIds'])
})

test('every code that is answered has its text, those that are no errors too', () => {
  expect(document['x-codes']).toMatchObject({ 30000: { status: 200 }, 100028: { status: 200 } })
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
