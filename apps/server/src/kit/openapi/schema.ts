import {
  anyJson,
  type Endpoint,
  type Field,
  type Fields,
  filterShape,
  isTime,
  otherNames,
  type Resource,
  readableFields,
  shownBy,
  sorts,
  spanOf,
} from '@campanile/contract'
import { z } from 'zod'
import { textOf } from '../../platform/texts.ts'

export type Json = { [key: string]: unknown }

export const capital = (name: string) => name.charAt(0).toUpperCase() + name.slice(1)
export const referenceTo = (name: string) => `#/components/schemas/${name}`

const bare = (schema: z.ZodType, io: 'input' | 'output'): Json => {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      // A format says the same as its pattern of two hundred characters.
      if (jsonSchema.format) delete jsonSchema.pattern
      const { row, rows, fields } = shownBy(zodSchema)
      if (row) Object.assign(jsonSchema, rowReference(row()))
      if (rows) Object.assign(jsonSchema, { type: 'array', items: rowReference(rows()) })
      if (fields) Object.assign(jsonSchema, valuesSchema(fields))
      if (Object.is(zodSchema, anyJson)) jsonSchema.$ref = referenceTo('Json')
    },
  }) as Json
  return rest
}

const rowReference = ({ name }: Resource): Json => ({ $ref: referenceTo(`${capital(name)}Row`) })

const valuesSchema = (fields: Fields): Json =>
  object(Object.fromEntries(Object.entries(fields).map(([name, { schema }]) => [name, bare(schema, 'output')])), [])

/** What is sent. Where sending is looser than what comes of it (`"5"` for 5), the result says more. */
const schemaOf = (schema: z.ZodType): Json => {
  const input = bare(schema, 'input')
  if (Object.keys(input).length === 0) return bare(schema, 'output')
  const { properties } = input as { properties?: Record<string, Json> }
  if (!properties) return input
  const output = (bare(schema, 'output') as { properties?: Record<string, Json> }).properties ?? {}
  const filled = Object.entries(properties).map(([name, property]) => {
    const { default: initial, ...rest } = property
    return [
      name,
      Object.keys(rest).length === 0
        ? { ...output[name], ...(initial !== undefined && { default: initial }) }
        : property,
    ]
  })
  return { ...input, properties: Object.fromEntries(filled) }
}

export const fieldSchema = (resource: Resource, name: string, field: Field): Json => ({
  title: textOf(`${resource.name}.field.${name}`, 'en'),
  ...schemaOf(field.schema),
  ...(field.dictionary && { 'x-dictionary': field.dictionary }),
  ...(field.when && { description: `Only when ${field.when.field} is ${field.when.is.join(' or ')}.` }),
  ...(field.also && { 'x-also-named': field.also }),
  ...(field.faults && { 'x-error-codes': [...new Set(Object.values(field.faults))] }),
})

const orNull = (schema: Json): Json => ({ anyOf: [schema, { type: 'null' }] })

const object = (properties: Record<string, Json>, required: readonly string[]): Json => ({
  type: 'object',
  properties,
  ...(required.length > 0 && { required }),
  additionalProperties: false,
})

const fieldsOf = (resource: Resource, keep: (field: Field) => boolean) =>
  Object.entries(resource.fields).filter(([, field]) => keep(field))

const shaped = (
  resource: Resource,
  fields: readonly [string, Field][],
  mayBeEmpty: (name: string) => boolean = () => false,
) =>
  Object.fromEntries(
    fields.map(([name, field]) => {
      const schema = fieldSchema(resource, name, field)
      return [name, field.required && !field.when && !mayBeEmpty(name) ? schema : orNull(schema)]
    }),
  )

/** A row may outlive what it refers to, and with it the name it was shown by. The department it stands in stays. */
const mayBeGone = (resource: Resource) => {
  const gone = Object.entries(resource.fields).filter(([name, { kind }]) => kind === 'ref' && name !== 'departmentId')
  // A serial number is kept with the row, whatever becomes of its device.
  const names = gone.flatMap(([name, { nameField }]) =>
    nameField === undefined || resource.fields[nameField]?.serial ? [name] : [name, nameField],
  )
  return (name: string) => names.includes(name)
}

const id: Json = { type: 'integer', minimum: 1 }

/** Of several references none may be left, however many a form asks for: then their names are an empty text. */
const mayBeNone = (resource: Resource, properties: Record<string, Json>): Record<string, Json> => {
  const none = Object.entries(resource.fields).filter(([, { kind }]) => kind === 'refs')
  const names = none.flatMap(([name, { nameField }]) => [name, nameField ?? name])
  return Object.fromEntries(
    Object.entries(properties).map(([name, property]) => {
      const { minItems: _items, minLength: _length, ...rest } = property
      return [name, names.includes(name) ? rest : property]
    }),
  )
}

/** What stands under one name stands under the other as well. */
const underBoth = <T>(fields: Fields, properties: Readonly<Record<string, T>>): Record<string, T> => ({
  ...properties,
  ...Object.fromEntries(
    otherNames(fields).flatMap(([name, also]) => (properties[name] === undefined ? [] : [[also, properties[name]]])),
  ),
})

/** Takes a field by either of its names; one that is needed must come under one of them. */
const taken = (fields: Fields, properties: Record<string, Json>, needed: readonly string[]): Json => {
  const others = new Map(otherNames(fields))
  const either = needed.filter((name) => others.has(name))
  return {
    ...object(
      underBoth(fields, properties),
      needed.filter((name) => !others.has(name)),
    ),
    ...(either.length > 0 && {
      allOf: either.map((name) => ({ anyOf: [{ required: [name] }, { required: [others.get(name)] }] })),
    }),
  }
}

/** A row as lists answer it, what creating takes, what updating takes. */
export const resourceSchemas = (resource: Resource): Record<'Row' | 'Draft' | 'Patch', Json> => {
  const names = readableFields(resource)
  const readable = Object.entries(resource.fields).filter(([name]) => names.includes(name))
  const drafted = fieldsOf(resource, (field) => field.writable !== 'never')
  const patched = fieldsOf(resource, (field) => field.writable === 'always')
  const needed = drafted.filter(([, field]) => field.required && !field.when && field.initial === undefined)
  const shown = mayBeNone(resource, shaped(resource, readable, mayBeGone(resource)))
  const row = underBoth(resource.fields, { id, ...shown })
  return {
    Row: object(row, Object.keys(row)),
    Draft: taken(
      resource.fields,
      shaped(resource, drafted),
      needed.map(([name]) => name),
    ),
    Patch: taken(resource.fields, { id, ...shaped(resource, patched) }, ['id']),
  }
}

interface Parameter extends Json {
  name: string
  in: 'query' | 'path'
}

/** What a filter asks for, where its own name does not say it: an end of a span, something within a department. */
const filterMeaning = (resource: Resource, name: string): string | undefined => {
  const spanned = resource.list.filters.find((each) => spanOf(resource, each)?.includes(name))
  if (spanned) {
    const isStart = spanOf(resource, spanned)?.[0] === name
    const isFigure = !isTime(resource, spanned) && !resource.fields[spanned]?.version
    return isStart ? `${spanned} from this on` : isFigure ? `${spanned} up to this` : `${spanned} before this`
  }
  if (name === 'search') return `Any of these holds it: ${(resource.list.search ?? []).join(', ')}`
  const { place, dictionary, several } = resource.fields[name] ?? {}
  if (place) return 'There or anywhere below'
  if (dictionary) return `Codes of the table ${dictionary}`
  return several ? `One is looked for by part, several (up to ${several}) as they stand` : undefined
}

const filterParameter = (resource: Resource, name: string, schema: z.ZodType): Parameter => {
  const asked = bare(schema, 'output')
  const isList = asked.type === 'array'
  const description = filterMeaning(resource, name)
  return {
    name,
    in: 'query',
    ...(description && { description }),
    schema: asked,
    // Repeated without indices (behaviour: api.arrays).
    ...(isList && { style: 'form', explode: true }),
  }
}

export const listParameters = (resource: Resource): Parameter[] => [
  { name: 'page', in: 'query', schema: { type: 'integer', minimum: 1, default: 1 } },
  {
    name: 'pageSize',
    in: 'query',
    schema: { type: 'integer', minimum: 1, maximum: 199, default: resource.wire.pageSize },
  },
  {
    name: 'sort',
    in: 'query',
    schema: { enum: sorts(resource), default: resource.list.sort },
  },
  { name: 'ids', in: 'query', schema: { type: 'array', items: id }, style: 'form', explode: true },
  ...Object.entries(underBoth(resource.fields, filterShape(resource))).map(([name, schema]) =>
    filterParameter(resource, name, schema),
  ),
]

/** The filters of a list in a body: a number may be a number, one value stands for a list of one. */
const filtersInBody = (resource: Resource): Json => {
  const filters = listParameters(resource).filter(
    ({ name }) => name in underBoth(resource.fields, filterShape(resource)),
  )
  const either = (schema: Json): Json => (schema.type === 'array' ? { anyOf: [schema.items, schema] } : schema)
  return object(
    Object.fromEntries(
      filters.map(({ name, description, schema }) => [
        name,
        { ...(description !== undefined && { description }), ...either(schema as Json) },
      ]),
    ),
    [],
  )
}

/** What works on all rows that match takes the filters of the list. */
export const bodyWithFilters = (resource: Resource, schema: z.ZodType): Json => {
  const described = schemaOf(schema) as Json & { properties?: Record<string, Json> }
  const { filters } = described.properties ?? {}
  return {
    required: true,
    content: {
      'application/json': {
        schema: filters
          ? { ...described, properties: { ...described.properties, filters: filtersInBody(resource) } }
          : described,
      },
    },
  }
}

/** Ids go into the body or into the query. */
export const inBodyOrQuery = (schema: z.ZodType): Json => {
  const described = schemaOf(schema) as Json & { properties: Record<string, Json> }
  return {
    description: 'Takes them in the body or in the query.',
    parameters: Object.entries(described.properties).map(([name, property]) => ({
      name,
      in: 'query',
      schema: property,
      style: 'form',
      explode: true,
    })),
    requestBody: { content: { 'application/json': { schema: described } } },
  }
}

/** Where an endpoint's input goes: names in the path, the query of a GET or an upload, else the body. */
export const endpointInput = ({
  path,
  method,
  input,
  upload,
}: Pick<Endpoint, 'path' | 'method' | 'input' | 'upload'>): Json => {
  const schema = schemaOf(input) as { properties?: Record<string, Json>; required?: string[] }
  const properties = Object.entries(schema.properties ?? {})
  const inPath = (name: string) => path.includes(`:${name}`)
  const inQuery = method === 'GET' || upload !== undefined
  const parameters: Parameter[] = properties
    .filter(([name]) => inPath(name) || inQuery)
    .map(([name, property]) => ({
      name,
      in: inPath(name) ? 'path' : 'query',
      ...((inPath(name) || schema.required?.includes(name)) && { required: true }),
      schema: property,
    }))
  const body = properties.filter(([name]) => !inPath(name))
  return {
    ...(parameters.length > 0 && { parameters }),
    ...(!inQuery &&
      body.length > 0 && { requestBody: { required: true, content: { 'application/json': { schema } } } }),
    ...(upload && { requestBody: upload.raw ? rawBody : fileBody }),
  }
}

export const fileBody: Json = {
  required: true,
  content: {
    'multipart/form-data': {
      schema: object({ file: { type: 'string', contentMediaType: 'application/octet-stream' } }, ['file']),
    },
  },
}

const rawBody: Json = {
  required: true,
  content: { 'application/octet-stream': { schema: { type: 'string', contentMediaType: 'application/octet-stream' } } },
}

/** What a route answers. */
export const answerSchema = (schema: z.ZodType): Json => bare(schema, 'output')
