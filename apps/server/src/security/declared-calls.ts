import {
  actionSchema,
  countedFields,
  countsSchema,
  draftSchema,
  endpoints,
  exportSchema,
  type Field,
  type Fields,
  fileFields,
  fileSchema,
  holdsFile,
  listSchema,
  optionFields,
  optionsSchema,
  patchSchema,
  type Resource,
  removeSchema,
  resources,
  sortable,
  subjectOf,
  uploadSchema,
} from '@campanile/contract'
import { idInQuery } from '@campanile/contract/kit'
import { z } from 'zod'

/** What a number in an input stands for: the name of a resource, or of rows that are no resource's. */
export type Kind = string

/** An id of each kind a call may ask for. `spare …` is one that nothing refers to, for calls about the row itself. */
export type Ids = Readonly<Record<string, number>>

/** One route as its declaration describes it, with the places where somebody else's id could be put. */
export interface DeclaredCall {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  readonly path: string
  readonly schema: z.ZodType
  readonly shape: Readonly<Record<string, z.ZodType>>
  /** `itself`: the row the call is about, and not one that row refers to. */
  readonly slots: readonly { readonly name: string; readonly kind: Kind; readonly itself: boolean }[]
  readonly resource?: Resource
  /** Takes a file beside its fields. */
  readonly upload?: boolean
  readonly sorts: readonly string[]
}

const shapeOf = (schema: z.ZodType): Record<string, z.ZodType> =>
  schema instanceof z.ZodObject ? (schema.shape as Record<string, z.ZodType>) : {}

/** A file as a row is given it. */
const fileWith = (id: number) => ({ id, name: 'Sample.png', size: 1, type: 'image/png' })

/** A body holds numbers, a query text; either may be one or many, or the number of a file. */
const candidates = (method: DeclaredCall['method'], id: number): unknown[] =>
  method === 'GET' ? [String(id), [String(id)]] : [id, [id], fileWith(id)]

const isIdName = (name: string) => /^(id|ids|except)$|Ids?$/.test(name)

/** Names are another way to the same rows. */
const byIdOnly = (resource: Resource): Resource => {
  const { removeBy: _names, ...wire } = resource.wire
  return { ...resource, wire }
}

/** Rows of the resource itself, however a call names them. */
const ofItself = (resource: Resource) => ['id', 'ids', 'except', resource.wire.idsKey]

/** What a number means: a field of the resource or of the action says so, or the rule itself (`idOf`). */
const kindOf = (name: string, rule: z.ZodType, path: string, fields: Fields, resource?: Resource): Kind => {
  const kind =
    fields[name]?.target?.().name ??
    subjectOf(rule) ??
    (resource && ofItself(resource).includes(name) ? resource.name : undefined)
  if (kind === undefined) throw new Error(`${path}: nothing says which row \`${name}\` is. Write idOf(…) or ref(…).`)
  return kind
}

const isNumeric = (read: unknown) => typeof (Array.isArray(read) ? read[0] : read) === 'number'

const describe = (
  method: DeclaredCall['method'],
  path: string,
  schema: z.ZodType,
  resource?: Resource,
  { sorts = [], fields = resource?.fields ?? {} }: { sorts?: readonly string[]; fields?: Fields } = {},
): DeclaredCall => {
  const shape = shapeOf(schema)
  const isFile = (name: string) => fields[name] !== undefined && holdsFile(fields[name])
  const names = Object.keys(shape).filter(isIdName)
  // What cannot be a number here is no id (the institution id of a payment provider).
  const slots = names
    .filter((name) => candidates(method, 1).some((value) => isNumeric(shape[name]?.safeParse(value).data)))
    .map((name) => ({
      name,
      kind: kindOf(name, shape[name] as z.ZodType, path, fields, resource),
      itself: resource !== undefined && ofItself(resource).includes(name),
    }))
  const files = Object.keys(shape)
    .filter(isFile)
    .map((name) => ({ name, kind: `${resource?.name}.${name}`, itself: false }))
  return { method, path, schema, shape, slots: [...slots, ...files], ...(resource && { resource }), sorts }
}

const verbs = (resource: Resource): DeclaredCall[] => {
  const { wire, perms, actions } = resource
  const imported = z.strictObject({ importId: idInQuery('import') })
  const sorts = sortable(resource).flatMap((name) => [name, `-${name}`])
  return [
    ...(perms.list ? [describe('GET', `${wire.path}/list`, listSchema(resource), resource, { sorts })] : []),
    ...(perms.create ? [describe('POST', `${wire.path}/create`, draftSchema(resource), resource)] : []),
    ...(perms.update ? [describe('PUT', `${wire.path}/update`, patchSchema(resource), resource)] : []),
    ...(perms.remove ? [describe('DELETE', `${wire.path}/delete`, removeSchema(byIdOnly(resource)), resource)] : []),
    ...(perms.export ? [describe('POST', `${wire.path}/export`, exportSchema(resource), resource)] : []),
    ...(perms.import
      ? [
          describe('GET', `${wire.path}/import/template`, z.strictObject({}), resource),
          { ...describe('POST', `${wire.path}/import`, z.strictObject({}), resource), upload: true },
          describe('POST', `${wire.path}/import/run`, imported, resource),
          describe('GET', `${wire.path}/import/status`, imported, resource),
        ]
      : []),
    ...(perms.list ? [describe('GET', `${wire.path}/total`, countsSchema(resource), resource)] : []),
    ...(perms.list && countedFields(resource).length > 0
      ? [describe('GET', `${wire.path}/counts`, countsSchema(resource), resource)]
      : []),
    ...optionFields(resource).map((name) =>
      describe('GET', `${wire.path}/options/${name}`, optionsSchema, resource, {
        fields: { ids: resource.fields[name] as Field },
      }),
    ),
    ...fileFields(resource).flatMap(([name, { writable }]) => [
      describe('GET', `${wire.path}/file/${name}`, fileSchema(resource), resource),
      ...(writable === 'never'
        ? []
        : [{ ...describe('POST', `${wire.path}/upload/${name}`, uploadSchema, resource), upload: true }]),
    ]),
    ...Object.entries(actions).map(([name, action]) =>
      describe('POST', `${wire.path}/${name}`, actionSchema(resource, action), resource, {
        fields: action.fields ?? {},
      }),
    ),
  ]
}

export const nameOf = ({ method, path }: DeclaredCall) => `${method} ${path}`

/** The call as it goes over the wire. */
export const requestOf = ({ method, path }: DeclaredCall, input: Readonly<Record<string, unknown>>) => {
  const url = path.replace(/:(\w+)/g, (_, name: string) => String(input[name]))
  if (method !== 'GET') return { method, url, payload: input }
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(input))
    if (!path.includes(`:${name}`)) for (const each of [value].flat()) query.append(name, String(each))
  return { method, url: query.size > 0 ? `${url}?${query}` : url }
}

const plainCalls = (isOpen: boolean) =>
  endpoints
    .filter((endpoint) => (endpoint.perm === 'public') === isOpen)
    .map((endpoint) => ({
      ...describe(endpoint.method, endpoint.path, endpoint.input),
      ...(endpoint.upload && { upload: true }),
    }))

/** Every call of the registry that needs a session; rooms added later are in it without a line here. */
export const declaredCalls: readonly DeclaredCall[] = [...resources.flatMap(verbs), ...plainCalls(false)]
/** Every call anybody may make. */
export const openCalls: readonly DeclaredCall[] = plainCalls(true)

const samples: readonly unknown[] = [
  'Sample',
  'Sample1',
  '12345',
  'wx0123456789abcdef',
  '0123456789abcdef0123456789abcdef',
  '0123456789abcdef'.repeat(4),
  '/sample',
  'a:b:c',
  'true',
  '13800000000',
  '2026-01-01',
  '2026-01-01T00:00:00Z',
  '07-01',
  'https://example.com/x',
  'reboot',
  2,
  0,
  1,
  '2',
  true,
  ['127.0.0.1'],
  [1],
  [],
  {},
  { en: 'Sample', 'zh-cn': '样例', 'zh-tw': '樣例' },
  { search: '' },
  ['battery'],
  ['Sample'],
]

/** A device of one's own where a call names devices by their serial numbers. */
export const serialsOf = ({ shape }: DeclaredCall, sn: string): Record<string, unknown> => {
  if (shape.sn?.safeParse(sn).success && !shape.sn.safeParse(undefined).success) return { sn }
  return shape.sns?.safeParse([sn]).success ? { sns: [sn] } : {}
}

/** The first word of those a rule takes. */
const chosen = (rule: z.ZodType): unknown => (rule instanceof z.ZodEnum ? rule.options[0] : undefined)

/** A choice takes only its own words, and a number may begin above any sample. */
const candidatesFor = ({ resource }: DeclaredCall, name: string): unknown[] => {
  const { options = [], min }: Partial<Field> = resource?.fields[name] ?? {}
  return [...options, ...samples, min]
}

/** Fills in what a call needs: the given values where they fit, anything the rule accepts elsewhere. */
export const fill = (
  call: DeclaredCall,
  given: (name: string, kind: Kind, itself: boolean) => number | undefined,
  also: Readonly<Record<string, unknown>> = {},
): Record<string, unknown> => {
  const input: Record<string, unknown> = { ...also }
  for (const [name, rule] of Object.entries(call.shape)) {
    if (name in input) continue
    const slot = call.slots.find((each) => each.name === name)
    const id = slot && given(name, slot.kind, slot.itself)
    if (id !== undefined) {
      input[name] = candidates(call.method, id).find((value) => rule.safeParse(value).success)
      continue
    }
    if (rule.safeParse(undefined).success) continue
    const value = chosen(rule) ?? candidatesFor(call, name).find((each) => rule.safeParse(each).success)
    if (value === undefined)
      throw new Error(
        `${name} of ${nameOf(call)} takes no value we know: write one to \`samples\` in declared-calls.ts`,
      )
    input[name] = value
  }
  return input
}
