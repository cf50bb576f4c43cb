import type {
  ActionInput,
  AnswerOf,
  Options as Choices,
  Counts,
  Draft,
  Endpoint,
  FileValue,
  InputOf,
  Patch,
  Resource,
  Row,
  Total,
} from '@campanile/contract'
import type { CallOptions, Client, Download, Method } from './client.ts'
import type { Query } from './query.ts'

export interface RowPage<T> {
  rows: T[]
  total: number
}
/** A bulk call may leave rows out; it says which and why. */
export interface BulkAnswer {
  skipped?: { id: number; name: string; code: number }[]
}
/** Found in the list of files when it is ready (behaviour: api.files). */
export interface ExportAnswer {
  fileName: string
  fileId: number
}
export interface ExportRequest {
  flag?: 0 | 1
  ids?: number[]
  except?: number[]
  columns?: string[]
  sort?: string
  timeZone?: string
  filters?: Query
}
export interface ImportCheck {
  importId: number
  total: number
  valid: number
  /** Rows that are there already: they are among `errors`, left out, and stay as they are. */
  existing: number
  errors: { row: number; field: string | null; code: number; message: string }[]
  /** How a file saved as text was read; `unsure` where another code page fits as well. */
  read?: { encoding: string; unsure: boolean }
  preview: Record<string, unknown>[]
}
export interface ImportProgress {
  state: 'checked' | 'running' | 'done'
  done: number
  total: number
  created: number
  failed: number
  skipped: number
  /** The rows that failed, with a reason column. */
  fileId: number | null
  /** 30000 when rows were refused (behaviour: api.rows-refused). */
  code?: number
  message?: string
}

/** Characters of a file's name that are sent along; its ending tells most. */
const nameMax = 255

type Options = Omit<CallOptions, 'query' | 'body'>
type Answer = Record<string, unknown>

/** Lists answer their rows under the resource's own key and the total as `total` or `count` (behaviour: api.list-keys). */
const pageOf = <T>(data: Answer, key: string): RowPage<T> => {
  const rows = (data[key] ?? data.rows ?? []) as T[]
  const total = data.total ?? data.count
  return { rows, total: typeof total === 'number' ? total : rows.length }
}

/** `:key` in a path is taken from the input; the rest is the query of a GET and the body of everything else. */
const fillPath = (path: string, input: Record<string, unknown>) => {
  const rest = { ...input }
  const filled = path.replace(/:(\w+)/g, (_, name: string) => {
    const value = rest[name]
    delete rest[name]
    return encodeURIComponent(String(value))
  })
  return { path: filled, rest }
}

const originOf = (declared: { readonly origin?: true } | undefined): Options =>
  declared?.origin ? { origin: true } : {}

/** One typed call for each verb and action a declaration names, and for every endpoint. Nothing is written by hand. */
export const createCalls = (client: Client) => {
  const send = <T>(method: Method, path: string, input: object, options: Options = {}) =>
    client.call<T>(method, path, {
      ...options,
      ...(method === 'GET' ? { query: input as Query } : { body: input }),
    })

  return {
    list: async <R extends Resource>(resource: R, query: Query, options?: Options): Promise<RowPage<Row<R>>> =>
      pageOf(await send<Answer>('GET', `${resource.wire.path}/list`, query, options), resource.wire.listKey),

    create: <R extends Resource>(resource: R, draft: Draft<R>, options?: Options) =>
      send<{ id: number }>('POST', `${resource.wire.path}/create`, draft, options),

    update: <R extends Resource>(resource: R, patch: Patch<R>, options?: Options) =>
      send<Answer>('PUT', `${resource.wire.path}/update`, patch, options),

    remove: <R extends Resource>(resource: R, ids: readonly number[], options?: Options) =>
      send<BulkAnswer | null>('DELETE', `${resource.wire.path}/delete`, { [resource.wire.idsKey]: ids }, options),

    export: <R extends Resource>(resource: R, request: ExportRequest, options?: Options) =>
      send<ExportAnswer>('POST', `${resource.wire.path}/export`, request, options),

    importTemplate: (resource: Resource): Promise<Download> => client.download(`${resource.wire.path}/import/template`),

    importCheck: (resource: Resource, file: File, options?: Options) => {
      const form = new FormData()
      form.append('file', file)
      return client.upload<ImportCheck>(`${resource.wire.path}/import`, form, options)
    },

    importRun: (resource: Resource, importId: ImportCheck['importId']) =>
      send<{ jobId: number }>('POST', `${resource.wire.path}/import/run`, { importId }),

    importStatus: (resource: Resource, importId: ImportCheck['importId'], options?: Options) =>
      send<ImportProgress>('GET', `${resource.wire.path}/import/status`, { importId }, options),

    /** A file for a field of a row that is not saved yet; what comes back is the field's value. */
    sendFile: (resource: Resource, field: string, file: File, options?: Options) => {
      const form = new FormData()
      form.append('file', file)
      const query = { name: file.name.slice(-nameMax) }
      return client.upload<FileValue>(`${resource.wire.path}/upload/${field}`, form, { ...options, query })
    },

    rowFile: (resource: Resource, field: string, id: number, options?: Options): Promise<Download> =>
      client.download(`${resource.wire.path}/file/${field}`, { ...options, query: { id } }),

    counts: (resource: Resource, filters: Query, options?: Options) =>
      send<{ counts: Counts }>('GET', `${resource.wire.path}/counts`, filters, options),

    total: (resource: Resource, filters: Query, options?: Options) =>
      send<Total>('GET', `${resource.wire.path}/total`, filters, options),

    options: (resource: Resource, field: string, query: Query, options?: Options) =>
      send<Choices>('GET', `${resource.wire.path}/options/${field}`, query, options),

    action: <R extends Resource, K extends keyof R['actions'] & string>(
      resource: R,
      name: K,
      input: ActionInput<R, K>,
      options?: Options,
    ) =>
      send<BulkAnswer | null>('POST', `${resource.wire.path}/${name}`, input as object, {
        ...originOf(resource.actions[name]),
        ...options,
      }),

    call: <E extends Endpoint>(endpoint: E, input: InputOf<E>, options?: Options): Promise<AnswerOf<E>> => {
      const { path, rest } = fillPath(endpoint.path, input as Record<string, unknown>)
      return send(endpoint.method, path, rest, { ...originOf(endpoint), ...options })
    },

    upload: <E extends Endpoint>(endpoint: E, file: Blob, input: InputOf<E>): Promise<AnswerOf<E>> => {
      const { path, rest } = fillPath(endpoint.path, input as Record<string, unknown>)
      const form = new FormData()
      form.append('file', file)
      return client.upload(path, form, { ...originOf(endpoint), query: rest as Query })
    },

    /** Bytes as the body itself, for an endpoint whose `upload` is `raw`; `input` is its query. */
    sendBytes: <E extends Endpoint>(
      endpoint: E,
      bytes: Blob,
      input: InputOf<E>,
      options?: Options,
    ): Promise<AnswerOf<E>> => {
      const { path, rest } = fillPath(endpoint.path, input as Record<string, unknown>)
      return client.put(path, bytes, { ...originOf(endpoint), ...options, query: rest as Query })
    },

    download: <E extends Endpoint>(endpoint: E, input: InputOf<E>, fileName?: string): Promise<Download> => {
      const { path, rest } = fillPath(endpoint.path, input as Record<string, unknown>)
      return client.download(path, { query: rest as Query, ...(fileName ? { fileName } : {}) })
    },
  }
}
export type Calls = ReturnType<typeof createCalls>
