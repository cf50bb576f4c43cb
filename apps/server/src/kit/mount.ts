import {
  type Action,
  type ActionAnswer,
  type ActionCall,
  actionSchema,
  type Chosen,
  type Draft,
  draftSchema,
  exportSchema,
  type Field,
  type Fields,
  type ListQuery,
  listSchema,
  type Move,
  optionFields,
  optionsSchema,
  type Patch,
  type Perm,
  patchSchema,
  type Resource,
  removeSchema,
  sheetMaxBytes,
  underOtherNames,
  type Verbs,
  withOtherNames,
} from '@campanile/contract'
import { z } from 'zod'
import type { SheetRow } from '../platform/sheet/parse.ts'
import { chosenIds, moveAll, namedIds } from './action.ts'
import { declared, type PartialAnswer } from './answer.ts'
import type { Call } from './call.ts'
import type { ExportInput } from './export/index.ts'
import type { ImportBinding } from './import/binding.ts'
import { listOptions } from './refs.ts'
import type { Kit, Route } from './route.ts'
import { insertRow, listRows, loggable, type Page, removeRows, updateRow } from './rows.ts'
import { boundTable, type Table } from './table.ts'
import { newSheet } from './upload/sheet.ts'

/** Used as it is: the kit's own verb. */
export const byDefault = 'byDefault'
type Default = typeof byDefault

type Bound<V extends Verbs, K extends keyof Verbs, F> = V extends Record<K, Perm> ? Record<K, Default | F> : unknown

export type Binding<R extends Resource> = Bound<R['perms'], 'list', (call: Call<ListQuery>) => Promise<Page<R>>> &
  Bound<R['perms'], 'create', (call: Call<Draft<R>>) => Promise<{ id: number } & object>> &
  Bound<R['perms'], 'update', (call: Call<Patch<R>>) => Promise<object>> &
  Bound<R['perms'], 'remove', (call: Call<number[]>) => Promise<object>> &
  Bound<R['perms'], 'export', never> &
  Bound<R['perms'], 'import', ImportBinding<R>> &
  (keyof R['actions'] extends never
    ? unknown
    : {
        actions: {
          [K in keyof R['actions']]:
            | ((call: Call<ActionCall<R, K>>) => Promise<ActionAnswer<R, K> | PartialAnswer>)
            | (R['actions'][K] extends { readonly moves: Move } ? Default : never)
        }
      })

type AnyBinding = {
  list?: Default | ((call: Call<ListQuery>) => Promise<Page<Resource>>)
  create?: Default | ((call: Call<never>) => Promise<object>)
  update?: Default | ((call: Call<never>) => Promise<object>)
  remove?: Default | ((call: Call<number[]>) => Promise<object>)
  import?: Default | ImportBinding<never>
  actions?: Record<string, Default | ((call: Call<never>) => Promise<unknown>)>
}

const sheetUpload = { maxBytes: sheetMaxBytes, read: newSheet }

/** Binds every verb and action a declaration names; the type makes it exhaustive. Checks are applied here, outside the functions. */
export const mount = <R extends Resource>(kit: Kit, table: Table<R>, binding: Binding<R>) => {
  const { resource } = table
  const { wire, perms } = resource
  const bound = binding as AnyBinding
  const fieldCodes = { faults: eachOf(resource.fields, (field) => field.faults) }
  const add = (
    perm: Perm | undefined,
    route: Omit<Route, 'perm' | 'scope' | 'module' | 'run'>,
    run: (call: never, content: never) => unknown,
  ) => {
    if (perm)
      kit.add({
        fieldCodes,
        ...route,
        perm,
        scope: resource.scope,
        module: resource.name,
        run: run as unknown as Route['run'],
      })
  }

  const create = (call: Call<never>): Promise<object> =>
    typeof bound.create === 'function'
      ? bound.create(call)
      : insertRow(call.db, table, call.scope, call.input).then((id) => ({ id }))

  add(
    perms.list,
    {
      method: 'GET',
      path: `${wire.path}/list`,
      input: withOtherNames(resource.fields, listSchema(resource)),
      writes: false,
      logged: resource.personal ? 'read' : null,
      // A filter that cannot be read is no field somebody filled in wrongly.
      fieldCodes: {},
    },
    async (call: Call<ListQuery>) => {
      const page = await (typeof bound.list === 'function'
        ? bound.list(call)
        : listRows(call.db, table, call.scope, call.input))
      call.note({ description: `${page.rows.length} of ${page.total}` })
      return { [wire.listKey]: page.rows.map((row) => underOtherNames(resource.fields, row)), total: page.total }
    },
  )

  add(
    perms.create,
    {
      method: 'POST',
      path: `${wire.path}/create`,
      input: withOtherNames(resource.fields, draftSchema(resource)),
      writes: true,
      logged: 'create',
    },
    async (call: Call<never>) => {
      call.note({ description: nameOf(resource, call.input), after: loggable(resource, call.input) })
      return create(call)
    },
  )

  add(
    perms.update,
    {
      method: 'PUT',
      path: `${wire.path}/update`,
      input: withOtherNames(resource.fields, patchSchema(resource)),
      writes: true,
      logged: 'update',
      fieldCodes: { ...fieldCodes, locked: eachOf(resource.fields, (field) => field.lockedCode) },
    },
    async (call: Call<never>) => {
      const patch = call.input as { id: number } & Record<string, unknown>
      call.note({ description: `#${patch.id}` })
      if (typeof bound.update === 'function') return bound.update(call)
      await updateRow(call, table, patch)
      return {}
    },
  )

  add(
    perms.remove,
    { method: 'DELETE', path: `${wire.path}/delete`, input: removeSchema(resource), writes: true, logged: 'remove' },
    async (call: Call<Record<string, readonly (number | string)[]>>) => {
      const ids = await namedIds(call.db, table, call.scope, call.input)
      call.note({ description: ids.join(', ') })
      const chosen = { ...call, input: ids }
      if (typeof bound.remove === 'function') return bound.remove(chosen)
      const names = await removeRows(call.db, table, call.scope, ids)
      call.note({ description: names.join(', ') })
      return { removed: ids.length }
    },
  )

  if (perms.export) kit.longWork.exports.bind(table, perms.export)
  add(
    perms.export,
    { method: 'POST', path: `${wire.path}/export`, input: exportSchema(resource), writes: true, logged: 'export' },
    (call: Call<ExportInput>) => kit.longWork.exports.start(table, call),
  )

  if (perms.import) {
    const { imports } = kit.longWork
    const spec = typeof bound.import === 'object' ? bound.import : {}
    imports.bind(table, perms.import, { create, generate: {}, ...(spec as object), fieldCodes })
    const path = `${wire.path}/import`
    const nothing = z.strictObject({})
    const one = z.strictObject({ importId: z.coerce.number().int().positive() })
    add(
      perms.import,
      { method: 'GET', path: `${path}/template`, input: nothing, writes: false, logged: null },
      (call: Call) => imports.template(table, call),
    )
    add(
      perms.import,
      // Not a write by itself: checking the rows takes a while, and no transaction waits for it.
      { method: 'POST', path, input: nothing, upload: sheetUpload, writes: false, logged: 'import' },
      (call: Call, sheet: readonly SheetRow[]) => imports.check(table, call, sheet),
    )
    add(
      perms.import,
      { method: 'POST', path: `${path}/run`, input: one, writes: true, logged: 'import' },
      (call: Call<{ importId: number }>) => imports.start(table, call),
    )
    add(
      perms.import,
      { method: 'GET', path: `${path}/status`, input: one, writes: false, logged: null },
      (call: Call<{ importId: number }>) => imports.status(table, call),
    )
  }

  for (const name of optionFields(resource)) {
    const target = resource.fields[name]?.target?.().name ?? ''
    add(
      perms.list ?? perms.create,
      {
        method: 'GET',
        path: `${wire.path}/options/${name}`,
        input: optionsSchema,
        writes: false,
        logged: null,
        fieldCodes: {},
      },
      (call: Call<z.output<typeof optionsSchema>>) => listOptions(call.db, boundTable(target), call.scope, call.input),
    )
  }

  for (const [name, action] of Object.entries(resource.actions) as [string, Action][]) {
    const own = bound.actions?.[name]
    if (!own) throw new Error(`${resource.name}.${name} is declared but not bound`)
    const run = own === byDefault ? moveAll(table, action) : (own as (call: Call<unknown>) => Promise<unknown>)
    add(
      action.perm,
      {
        method: 'POST',
        path: `${wire.path}/${name}`,
        input: withOtherNames(action.fields ?? {}, actionSchema(resource, action)),
        writes: true,
        logged: 'action',
        fieldCodes: { faults: eachOf(action.fields ?? {}, (field) => field.faults) },
      },
      async (call: Call<Chosen>) => {
        call.note({ description: name })
        const ids = action.on === 'matching' ? await chosenIds(call.db, table, call.scope, call.input) : undefined
        const { filters: _filters, except: _except, ...input } = call.input
        return declared(action.answer, await run(ids ? { ...call, input: { ...input, ids } } : call))
      },
    )
  }
}

const eachOf = <T>(fields: Fields, pick: (field: Field) => T): Record<string, T> =>
  Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, pick(field)]))

const nameOf = (resource: Resource, values: Readonly<Record<string, unknown>>) =>
  String(values[resource.identity] ?? '')
