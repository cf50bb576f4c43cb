import {
  type Action,
  actionSchema,
  countedFields,
  countsAnswer,
  done,
  type Endpoint,
  errorByCode,
  exportAnswer,
  exportSchema,
  fileAnswer,
  fileFields,
  fileSchema,
  fileValue,
  filterShape,
  importCheck,
  importProgress,
  importStarted,
  madeRow,
  notices,
  optionFields,
  optionsAnswer,
  optionsSchema,
  type Perm,
  pageOf,
  partialSuccess,
  type Resource,
  removedRows,
  removeSchema,
  success,
  totalAnswer,
  uploadSchema,
} from '@campanile/contract'
import type { z } from 'zod'
import { textOf } from '../../platform/texts.ts'
import {
  answerSchema,
  bodyWithFilters,
  capital,
  endpointInput,
  fileBody,
  inBodyOrQuery,
  type Json,
  listParameters,
  referenceTo,
  resourceSchemas,
} from './schema.ts'

const reference = (name: string): Json => ({ $ref: referenceTo(name) })

/** Everything is answered in one envelope; the code decides, whatever the HTTP status. */
const envelope = (data: Json): Json => ({
  type: 'object',
  properties: { code: { enum: [success, partialSuccess] }, message: { type: 'string' }, data },
  required: ['code', 'message', 'data'],
})

const file: Json = {
  description: 'The file; the headers Content-Type and fileName (percent-encoded) say what it is and what it is called',
  content: { '*/*': { schema: { type: 'string', format: 'binary' } } },
}

const answers = (answer: z.ZodType, errors: readonly number[] = []): Json => ({
  200:
    answer === fileAnswer
      ? file
      : { description: 'Done', content: { 'application/json': { schema: envelope(answerSchema(answer)) } } },
  default: {
    description: errors.length > 0 ? `Not done. Own codes: ${[...new Set(errors)].join(', ')}` : 'Not done',
    content: { 'application/json': { schema: reference('Failure') } },
  },
})

interface Operation {
  readonly method: string
  readonly path: string
  readonly operation: Json
}

const importId: Json = { type: 'integer', minimum: 1 }

const secured = (perm: Perm, scope: string, origin: true | undefined): Json => ({
  ...(perm === 'public' ? { security: [] } : { security: [{ session: [] }] }),
  'x-permission': perm,
  'x-scope': scope,
  ...(origin && { 'x-token': 'original' }),
})

const operationsOf = (resource: Resource): Operation[] => {
  const { name, wire, perms } = resource
  const title = textOf(`${name}.title`, 'en')
  const operations: Operation[] = []
  const add = (perm: Perm | undefined, method: string, path: string, summary: string, rest: Json, origin?: true) => {
    if (!perm) return
    const operationId = `${name}.${path.slice(1).replaceAll('/', '.')}`
    const operation = {
      operationId,
      tags: [name],
      summary: `${title}: ${summary}`,
      ...secured(perm, resource.scope, origin),
      ...rest,
    }
    operations.push({ method, path: `${wire.path}${path}`, operation })
  }
  const json = (schema: Json) => ({ requestBody: { required: true, content: { 'application/json': { schema } } } })

  add(perms.list, 'get', '/list', 'list', {
    parameters: listParameters(resource),
    responses: answers(pageOf(resource)),
  })
  add(perms.create, 'post', '/create', 'add', {
    ...json(reference(`${capital(name)}Draft`)),
    responses: answers(madeRow),
  })
  add(perms.update, 'put', '/update', 'change', {
    ...json(reference(`${capital(name)}Patch`)),
    responses: answers(done),
  })
  add(perms.remove, 'delete', '/delete', 'delete', {
    ...inBodyOrQuery(removeSchema(resource)),
    responses: answers(removedRows),
  })
  add(perms.export, 'post', '/export', 'export to a file', {
    requestBody: bodyWithFilters(resource, exportSchema(resource)),
    responses: answers(exportAnswer),
  })
  add(perms.import, 'get', '/import/template', 'template of an import', { responses: answers(fileAnswer) })
  add(perms.import, 'post', '/import', 'check a file', {
    requestBody: fileBody,
    responses: answers(importCheck),
  })
  add(perms.import, 'post', '/import/run', 'import a checked file', {
    ...json({ type: 'object', properties: { importId }, required: ['importId'], additionalProperties: false }),
    responses: answers(importStarted),
  })
  add(perms.import, 'get', '/import/status', 'progress of an import', {
    parameters: [{ name: 'importId', in: 'query', required: true, schema: importId }],
    responses: answers(importProgress),
  })
  add(perms.list, 'get', '/total', 'how many rows a filter leaves', {
    parameters: listParameters(resource).filter(({ name }) => String(name) in filterShape(resource)),
    responses: answers(totalAnswer),
  })
  if (countedFields(resource).length > 0)
    add(perms.list, 'get', '/counts', 'how many rows each value of a filter has', {
      parameters: listParameters(resource).filter(({ name }) => String(name) in filterShape(resource)),
      responses: answers(countsAnswer),
    })
  for (const field of optionFields(resource))
    add(perms.list ?? perms.create, 'get', `/options/${field}`, `what ${field} may be`, {
      ...endpointInput({ path: '', method: 'GET', input: optionsSchema }),
      responses: answers(optionsAnswer),
    })
  for (const [field, { writable }] of fileFields(resource)) {
    const reading = perms.list ?? perms.create
    add(reading, 'get', `/file/${field}`, `the file in ${field}`, {
      ...endpointInput({ path: '', method: 'GET', input: fileSchema(resource) }),
      responses: answers(fileAnswer),
    })
    if (writable !== 'never')
      add(reading, 'post', `/upload/${field}`, `send a file for ${field}`, {
        ...endpointInput({ path: '', method: 'POST', input: uploadSchema, upload: { maxBytes: 0 } }),
        responses: answers(fileValue),
      })
  }
  for (const [action, spec] of Object.entries(resource.actions) as [string, Action][]) {
    const described = {
      requestBody: bodyWithFilters(resource, actionSchema(resource, spec)),
      responses: answers(spec.answer, spec.errors),
    }
    add(spec.perm, 'post', `/${action}`, textOf(`${name}.action.${action}`, 'en'), described, spec.origin)
  }
  return operations
}

/** `startTwoFactor` reads as "Start two factor". */
const spoken = (name: string) => capital(name.replace(/([A-Z])/g, (letter) => ` ${letter.toLowerCase()}`))
const tagOf = (path: string) =>
  path.split('/').filter((part) => part !== 'api' && !/^v\d$/.test(part) && part !== '')[0] ?? 'api'

const faultsOf = (faults: Endpoint['faults'] = {}) => Object.values(faults).flatMap((each) => Object.values(each))

const describeEndpoint = (endpoint: Endpoint): Operation => ({
  method: endpoint.method.toLowerCase(),
  path: endpoint.path.replace(/:(\w+)/g, '{$1}'),
  operation: {
    operationId: endpoint.name,
    tags: [tagOf(endpoint.path)],
    summary: spoken(endpoint.name),
    ...secured(endpoint.perm, endpoint.scope, endpoint.origin),
    ...endpointInput(endpoint),
    responses: answers(endpoint.answer, faultsOf(endpoint.faults)),
  },
})

const shared: Record<string, Json> = {
  Failure: {
    type: 'object',
    description:
      'The code decides; message is its text in the language of Accept-Language; data.field names the field, data.allowed what it takes where that is one of a few.',
    properties: {
      code: { type: 'integer' },
      message: { type: 'string' },
      data: { type: 'object', additionalProperties: reference('Json') },
    },
    required: ['code', 'message'],
  },
  /** Made up by somebody else: a device, the maker of a command. */
  Json: {
    anyOf: [
      { type: ['string', 'number', 'boolean', 'null'] },
      { type: 'array', items: reference('Json') },
      { type: 'object', additionalProperties: reference('Json') },
    ],
  },
}

/** What several answers have in common stands once, where references find it. */
const gatherShared = (schemas: Record<string, Json>, part: unknown): unknown => {
  if (Array.isArray(part)) return part.map((each) => gatherShared(schemas, each))
  if (typeof part !== 'object' || part === null) return part
  const { $defs = {}, ...rest } = part as Json & { $defs?: Record<string, Json> }
  for (const [name, { id: _, ...schema }] of Object.entries($defs)) {
    if (name in schemas) continue
    schemas[name] = {}
    schemas[name] = gatherShared(schemas, schema) as Json
  }
  return Object.fromEntries(
    Object.entries(rest).map(([name, each]) => [
      name,
      name === '$ref' ? String(each).replace('#/$defs/', referenceTo('')) : gatherShared(schemas, each),
    ]),
  )
}

/** What each code says, without the values of a particular case. */
const codeTexts = () =>
  Object.fromEntries(
    [...notices.map((code) => ({ code, status: 200 })), ...errorByCode.values()]
      .sort((a, b) => a.code - b.code)
      .map(({ code, status }) => [code, { status, text: textOf(`error.${code}`, 'en') }]),
  )

/** The whole API as OpenAPI 3.1, from the same declarations the routes are made of. */
export const describeApi = (resources: readonly Resource[], endpoints: readonly Endpoint[], version: string): Json => {
  const paths: Record<string, Record<string, Json>> = {}
  for (const { method, path, operation } of [...resources.flatMap(operationsOf), ...endpoints.map(describeEndpoint)])
    paths[path] = { ...paths[path], [method]: operation }
  const declared = Object.fromEntries(
    resources.flatMap((resource) => {
      const { Row, Draft, Patch } = resourceSchemas(resource)
      const { create, update } = resource.perms
      return Object.entries({ Row, ...(create && { Draft }), ...(update && { Patch }) }).map(([part, schema]) => [
        `${capital(resource.name)}${part}`,
        schema,
      ])
    }),
  )
  const schemas: Record<string, Json> = { ...shared }
  Object.assign(schemas, gatherShared(schemas, declared))
  const described = gatherShared(schemas, paths) as typeof paths
  return {
    openapi: '3.1.0',
    info: {
      title: 'Campanile',
      version,
      description:
        'Sign in with POST /api/v1/login and send the token in the header SessionId. Every answer is { code, message, data }; 100000 is success, 100028 that some of it was done; x-codes says what the others mean. Any call may answer a code of its room besides those it names. Times are UTC in ISO 8601, ids are numbers. How passwords are sent, lists are filtered and files are read: docs/writing-a-client.md.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    paths: Object.fromEntries(Object.entries(described).sort(([a], [b]) => (a < b ? -1 : 1))),
    'x-codes': codeTexts(),
    components: {
      securitySchemes: { session: { type: 'apiKey', in: 'header', name: 'SessionId' } },
      schemas,
    },
  }
}
