import { endpoints, resources } from '@campanile/contract'
import { describeApi } from '../kit/openapi/document.ts'
import type { Json } from '../kit/openapi/schema.ts'

type Operation = { responses: Record<string, { content?: Record<string, { schema: Json }> }> }

const document = describeApi(resources, endpoints, '0')
const { schemas } = document.components as { schemas: Record<string, Json> }
const paths = document.paths as Record<string, Record<string, Operation>>

const typeOf = (value: unknown) =>
  value === null ? 'null' : Array.isArray(value) ? 'array' : Number.isInteger(value) ? 'integer' : typeof value

const isOfType = (value: unknown, type: unknown) => {
  const found = typeOf(value)
  return [type].flat().some((each) => each === found || (each === 'number' && found === 'integer'))
}

const isTime: Readonly<Record<string, RegExp>> = {
  'date-time': /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/,
  date: /^\d{4}-\d\d-\d\d$/,
}

/** Each keyword by itself, where it says no. */
const refusals: Readonly<Record<string, (value: unknown, bound: never, schema: Json) => boolean>> = {
  type: (value, type: unknown) => !isOfType(value, type),
  enum: (value, allowed: readonly unknown[]) => !allowed.includes(value),
  const: (value, allowed: unknown) => value !== allowed,
  minimum: (value, least: number) => typeof value === 'number' && value < least,
  exclusiveMinimum: (value, least: number) => typeof value === 'number' && value <= least,
  maximum: (value, most: number) => typeof value === 'number' && value > most,
  minLength: (value, least: number) => typeof value === 'string' && value.length < least,
  maxLength: (value, most: number) => typeof value === 'string' && value.length > most,
  pattern: (value, pattern: string) => typeof value === 'string' && !new RegExp(pattern, 'u').test(value),
  format: (value, format: string) => typeof value === 'string' && isTime[format]?.test(value) === false,
  minItems: (value, least: number) => Array.isArray(value) && value.length < least,
  maxItems: (value, most: number) => Array.isArray(value) && value.length > most,
}

/** Where a value is not what its schema says, and which word of it is broken. */
const faultsIn = (schema: Json, value: unknown, at: string): string[] => {
  if (typeof schema.$ref === 'string') return faultsIn(schemas[schema.$ref.split('/').at(-1) ?? ''] ?? {}, value, at)
  const broken = Object.keys(schema).filter((word) => refusals[word]?.(value, schema[word] as never, schema))
  const { properties = {}, required = [], additionalProperties: more, items, anyOf, oneOf, allOf = [] } = schema
  const either = (anyOf ?? oneOf) as readonly Json[] | undefined
  const tried = either?.map((each) => faultsIn(each, value, at)) ?? []
  return [
    ...broken.map((word) => `${at}: ${word}`),
    ...(tried.length > 0 && tried.every((faults) => faults.length > 0) ? (tried[0] as string[]) : []),
    ...(allOf as readonly Json[]).flatMap((each) => faultsIn(each, value, at)),
    ...(Array.isArray(value) && items ? value.flatMap((each) => faultsIn(items as Json, each, `${at}[]`)) : []),
    ...(typeOf(value) === 'object'
      ? faultsInObject(properties as Record<string, Json>, required as string[], more, value as Json, at)
      : []),
  ]
}

const faultsInObject = (
  properties: Record<string, Json>,
  required: readonly string[],
  more: unknown,
  value: Json,
  at: string,
): string[] => [
  ...required.filter((name) => !(name in value)).map((name) => `${at}.${name}: required`),
  ...Object.entries(value).flatMap(([name, each]) => {
    const schema = properties[name]
    if (schema) return faultsIn(schema, each, `${at}.${name}`)
    if (more === false) return [`${at}.${name}: additionalProperties`]
    return typeof more === 'object' ? faultsIn(more as Json, each, `${at}.*`) : []
  }),
]

/** What of an answer is not as the API page says it is. `path` as it is declared; a refusal is not looked at. */
export const undocumented = (method: string, path: string, answer: { readonly code?: number }): string[] => {
  const operation = paths[path.replace(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()]
  const schema =
    operation?.responses[answer.code === 100000 || answer.code === 100028 ? '200' : '']?.content?.['application/json']
      ?.schema
  return schema ? [...new Set(faultsIn(schema, answer, `${method} ${path}`))] : []
}
