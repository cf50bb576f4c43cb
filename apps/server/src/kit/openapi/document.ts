import {
  type Action,
  actionSchema,
  type Endpoint,
  exportSchema,
  optionFields,
  optionsSchema,
  type Perm,
  type Resource,
  removeSchema,
} from '@campanile/contract'
import { textOf } from '../../platform/texts.ts'
import {
  actionBody,
  answerSchema,
  endpointInput,
  fileBody,
  type Json,
  listParameters,
  resourceSchemas,
} from './schema.ts'

const reference = (name: string): Json => ({ $ref: `#/components/schemas/${name}` })
const capital = (name: string) => name.charAt(0).toUpperCase() + name.slice(1)

/** Everything is answered in one envelope; the code decides, whatever the HTTP status (100000 is success). */
const envelope = (data: Json): Json => ({
  type: 'object',
  properties: { code: { type: 'integer', const: 100000 }, message: { type: 'string' }, data },
  required: ['code', 'message', 'data'],
})

const answers = (data: Json, errors: readonly number[] = []): Json => ({
  200: { description: 'Done', content: { 'application/json': { schema: envelope(data) } } },
  default: {
    description: errors.length > 0 ? `Not done. Own codes: ${errors.join(', ')}` : 'Not done',
    content: { 'application/json': { schema: reference('Failure') } },
  },
})

const file: Json = {
  200: {
    description: 'The file',
    content: { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } },
  },
  default: { description: 'Not done', content: { 'application/json': { schema: reference('Failure') } } },
}

interface Operation {
  readonly method: string
  readonly path: string
  readonly operation: Json
}

const anything: Json = { type: 'object' }
const importId: Json = { type: 'integer', minimum: 1 }

const secured = (perm: Perm, scope: string): Json => ({
  ...(perm === 'public' ? { security: [] } : { security: [{ session: [] }] }),
  'x-permission': perm,
  'x-scope': scope,
})

const operationsOf = (resource: Resource): Operation[] => {
  const { name, wire, perms } = resource
  const title = textOf(`${name}.title`, 'en')
  const row = reference(`${capital(name)}Row`)
  const operations: Operation[] = []
  const add = (perm: Perm | undefined, method: string, path: string, summary: string, rest: Json) => {
    if (!perm) return
    const operationId = `${name}.${path.slice(1).replaceAll('/', '.')}`
    const operation = {
      operationId,
      tags: [name],
      summary: `${title}: ${summary}`,
      ...secured(perm, resource.scope),
      ...rest,
    }
    operations.push({ method, path: `${wire.path}${path}`, operation })
  }
  const page = {
    type: 'object',
    properties: { [wire.listKey]: { type: 'array', items: row }, total: { type: 'integer', minimum: 0 } },
    required: [wire.listKey, 'total'],
  }
  const one = { type: 'object', properties: { id: { type: 'integer' } }, required: ['id'] }
  const json = (schema: Json) => ({ requestBody: { required: true, content: { 'application/json': { schema } } } })

  add(perms.list, 'get', '/list', 'list', { parameters: listParameters(resource), responses: answers(page) })
  add(perms.create, 'post', '/create', 'add', { ...json(reference(`${capital(name)}Draft`)), responses: answers(one) })
  add(perms.update, 'put', '/update', 'change', {
    ...json(reference(`${capital(name)}Patch`)),
    responses: answers(anything),
  })
  add(perms.remove, 'delete', '/delete', 'delete', {
    requestBody: actionBody(removeSchema(resource)),
    responses: answers(anything),
  })
  add(perms.export, 'post', '/export', 'export to a file', {
    requestBody: actionBody(exportSchema(resource)),
    responses: answers({ type: 'object', properties: { fileName: { type: 'string' }, fileId: { type: 'integer' } } }),
  })
  add(perms.import, 'get', '/import/template', 'template of an import', { responses: file })
  add(perms.import, 'post', '/import', 'check a file', {
    requestBody: fileBody,
    responses: answers(reference('ImportCheck')),
  })
  add(perms.import, 'post', '/import/run', 'import a checked file', {
    ...json({ type: 'object', properties: { importId }, required: ['importId'], additionalProperties: false }),
    responses: answers({ type: 'object', properties: { jobId: { type: 'integer' }, importId } }),
  })
  add(perms.import, 'get', '/import/status', 'progress of an import', {
    parameters: [{ name: 'importId', in: 'query', required: true, schema: importId }],
    responses: answers(reference('ImportStatus')),
  })
  const options = {
    type: 'object',
    properties: { rows: { type: 'array', items: reference('Option') }, total: { type: 'integer', minimum: 0 } },
    required: ['rows', 'total'],
  }
  for (const field of optionFields(resource))
    add(perms.list ?? perms.create, 'get', `/options/${field}`, `what ${field} may be`, {
      ...endpointInput({ path: '', method: 'GET', input: optionsSchema }),
      responses: answers(options),
    })
  for (const [action, spec] of Object.entries(resource.actions) as [string, Action][]) {
    add(spec.perm, 'post', `/${action}`, textOf(`${name}.action.${action}`, 'en'), {
      requestBody: actionBody(actionSchema(resource, spec)),
      responses: answers(answerSchema(spec.answer), spec.errors),
    })
  }
  return operations
}

/** `startTwoFactor` reads as "Start two factor". */
const spoken = (name: string) => capital(name.replace(/([A-Z])/g, (letter) => ` ${letter.toLowerCase()}`))
const tagOf = (path: string) =>
  path.split('/').filter((part) => part !== 'api' && !/^v\d$/.test(part) && part !== '')[0] ?? 'api'

const describeEndpoint = (endpoint: Endpoint): Operation => ({
  method: endpoint.method.toLowerCase(),
  path: endpoint.path.replace(/:(\w+)/g, '{$1}'),
  operation: {
    operationId: endpoint.name,
    tags: [tagOf(endpoint.path)],
    summary: spoken(endpoint.name),
    ...secured(endpoint.perm, endpoint.scope),
    ...endpointInput(endpoint),
    responses: answers(anything),
  },
})

const shared: Record<string, Json> = {
  Failure: {
    type: 'object',
    description:
      'The code decides; message is its text in the language of Accept-Language; data.field names the field.',
    properties: { code: { type: 'integer' }, message: { type: 'string' }, data: { type: 'object' } },
    required: ['code', 'message'],
  },
  Option: {
    type: 'object',
    properties: { id: { type: 'integer' }, name: { type: 'string' } },
    required: ['id', 'name'],
  },
  ImportCheck: {
    type: 'object',
    properties: {
      importId,
      total: { type: 'integer' },
      valid: { type: 'integer' },
      errors: {
        type: 'array',
        items: {
          type: 'object',
          properties: {
            row: { type: 'integer' },
            field: { type: ['string', 'null'] },
            code: { type: 'integer' },
            message: { type: 'string' },
          },
        },
      },
      preview: { type: 'array', items: { type: 'object' } },
    },
  },
  ImportStatus: {
    type: 'object',
    properties: {
      state: { enum: ['checked', 'running', 'done'] },
      ...Object.fromEntries(
        ['done', 'total', 'created', 'failed', 'skipped'].map((name) => [name, { type: 'integer' }]),
      ),
      fileId: { type: ['integer', 'null'] },
      code: { type: 'integer', description: '30000 when rows were not accepted' },
    },
  },
}

/** The whole API as OpenAPI 3.1, from the same declarations the routes are made of. */
export const describeApi = (resources: readonly Resource[], endpoints: readonly Endpoint[], version: string): Json => {
  const paths: Record<string, Record<string, Json>> = {}
  for (const { method, path, operation } of [...resources.flatMap(operationsOf), ...endpoints.map(describeEndpoint)])
    paths[path] = { ...paths[path], [method]: operation }
  const schemas = Object.fromEntries(
    resources.flatMap((resource) =>
      Object.entries(resourceSchemas(resource)).map(([part, schema]) => [`${capital(resource.name)}${part}`, schema]),
    ),
  )
  return {
    openapi: '3.1.0',
    info: {
      title: 'Campanile',
      version,
      description:
        'Sign in with POST /api/v1/login and send the token in the header SessionId. Every answer is { code, message, data }; 100000 is success. Times are UTC in ISO 8601, ids are numbers.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    paths: Object.fromEntries(Object.entries(paths).sort(([a], [b]) => (a < b ? -1 : 1))),
    components: {
      securitySchemes: { session: { type: 'apiKey', in: 'header', name: 'SessionId' } },
      schemas: { ...shared, ...schemas },
    },
  }
}
