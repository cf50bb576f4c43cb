import {
  type Action,
  type ActionCall,
  AppError,
  actionSchema,
  type Chosen,
  commonErrors,
  countedFields,
  countsAnswer,
  countsSchema,
  type Draft,
  done,
  draftSchema,
  exportAnswer,
  exportSchema,
  type Field,
  type Fields,
  fileAnswer,
  fileFields,
  fileSchema,
  fileValue,
  importCheck,
  importProgress,
  importStarted,
  type ListQuery,
  listSchema,
  type Move,
  madeRow,
  optionFields,
  optionsAnswer,
  optionsSchema,
  type Patch,
  type Perm,
  pageOf,
  patchSchema,
  type Resource,
  removedRows,
  removeSchema,
  sheetMaxBytes,
  totalAnswer,
  underOtherNames,
  uploadSchema,
  type Verbs,
  withOtherNames,
} from '@campanile/contract'
import { type SqlBool, sql } from 'kysely'
import { z } from 'zod'
import type { Db } from '../platform/db.ts'
import { chosenIds, moveAll, namedIds } from './action.ts'
import { scopeFor } from './actor.ts'
import type { Answering } from './answer.ts'
import type { Call } from './call.ts'
import type { ExportInput } from './export/index.ts'
import type { ImportBinding } from './import/binding.ts'
import { countOptions, countTotal } from './list/counts.ts'
import { refuseBackwards } from './list/spans.ts'
import { listOptions } from './refs.ts'
import type { Kit, Route } from './route.ts'
import { insertRow, listRows, loggable, type Page, removeRows, updateRow } from './rows.ts'
import { boundTable, storedName, type Table } from './table.ts'
import { shownOf, touchRows } from './touched.ts'
import { type ReadSheet, readNewSheet } from './upload/sheet.ts'

const eachPage = (wrong: number) => ({ page: { wrong }, pageSize: { wrong } })

/** Used as it is: the kit's own verb. */
export const byDefault = 'byDefault'
type Default = typeof byDefault

type Bound<V extends Verbs, K extends keyof Verbs, F> = V extends Record<K, Perm> ? Record<K, Default | F> : unknown

export type Binding<R extends Resource> = Bound<R['perms'], 'list', (call: Call<ListQuery>) => Promise<Page<R>>> &
  Bound<R['perms'], 'create', (call: Call<Draft<R>>) => Promise<z.output<typeof madeRow>>> &
  Bound<R['perms'], 'update', (call: Call<Patch<R>>) => Promise<z.output<typeof done>>> &
  Bound<R['perms'], 'remove', (call: Call<number[]>) => Promise<Answering<typeof removedRows>>> &
  Bound<R['perms'], 'export', never> &
  Bound<R['perms'], 'import', ImportBinding<R>> &
  (keyof R['actions'] extends never
    ? unknown
    : {
        actions: {
          [K in keyof R['actions']]:
            | ((call: Call<ActionCall<R, K>>) => Promise<Answering<R['actions'][K]['answer']>>)
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

/** Refuses a code that its table does not hold. One that was switched off stays where it is. */
const judgeCodes = async (kit: Kit, db: Db, fields: Fields, input: Readonly<Record<string, unknown>>) => {
  const given = Object.entries(fields).filter(([name, field]) => field.dictionary && input[name] != null)
  if (given.length === 0) return
  const tables = await kit.longWork.codes(db)
  for (const [name, { dictionary, faults }] of given) {
    const known = new Set(tables.filter((each) => each.dictionary === dictionary).map(({ code }) => code))
    if ([input[name]].flat().every((code) => known.has(code as number))) continue
    const spec = faults?.wrong ? { code: faults.wrong, status: 400 as const } : commonErrors.wrongFormat
    throw new AppError({ ...spec, field: name }, { field: name })
  }
}

const sheetUpload = { maxBytes: sheetMaxBytes, read: readNewSheet }

/** Binds every verb and action a declaration names; the type makes it exhaustive. Checks are applied here, outside the functions. */
export const mount = <R extends Resource>(kit: Kit, table: Table<R>, binding: Binding<R>) => {
  const { resource } = table
  const { wire, perms } = resource
  const bound = binding as AnyBinding
  const holdsMany = Object.values(resource.fields).some(takesThousands)
  const also = eachOf(resource.fields, (field) => field.also)
  const fieldCodes = { faults: eachOf(resource.fields, (field) => field.faults), also }
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
      answer: pageOf(resource),
      writes: false,
      logged: resource.personal ? 'read' : null,
      // A filter that cannot be read is no field somebody filled in wrongly.
      fieldCodes: { also, ...(wire.pageCode && { faults: eachPage(wire.pageCode) }) },
    },
    async (call: Call<ListQuery>) => {
      refuseBackwards(resource, call.input)
      const page = await (typeof bound.list === 'function'
        ? bound.list(call)
        : listRows(call.db, table, call.scope, call.input))
      call.note({ description: `${page.rows.length} of ${page.total}` })
      if (resource.personal)
        await touchRows(
          call,
          table,
          page.rows.map(({ id }) => Number(id)),
          shownOf(page.rows.length),
        )
      return { [wire.listKey]: page.rows.map((row) => underOtherNames(resource.fields, row)), total: page.total }
    },
  )

  add(
    perms.create,
    {
      method: 'POST',
      path: `${wire.path}/create`,
      input: withOtherNames(resource.fields, draftSchema(resource)),
      answer: madeRow,
      writes: true,
      heavy: holdsMany,
      logged: 'create',
    },
    async (call: Call<never>) => {
      call.note({ description: nameOf(resource, call.input), after: loggable(resource, call.input) })
      await judgeCodes(kit, call.db, resource.fields, call.input)
      const made = await create(call)
      if ('id' in made) await touchRows(call, table, [Number(made.id)])
      return made
    },
  )

  add(
    perms.update,
    {
      method: 'PUT',
      path: `${wire.path}/update`,
      input: withOtherNames(resource.fields, patchSchema(resource)),
      answer: done,
      writes: true,
      heavy: holdsMany,
      logged: 'update',
      fieldCodes: { ...fieldCodes, locked: eachOf(resource.fields, (field) => field.lockedCode) },
    },
    async (call: Call<never>) => {
      const patch = call.input as { id: number } & Record<string, unknown>
      call.note({ description: `#${patch.id}` })
      await touchRows(call, table, [patch.id])
      await judgeCodes(kit, call.db, resource.fields, patch)
      const updated = typeof bound.update === 'function' ? await bound.update(call) : {}
      if (typeof bound.update !== 'function') await updateRow(call, table, patch)
      // It may have come to lie elsewhere.
      if ('departmentId' in patch) await touchRows(call, table, [patch.id])
      return updated
    },
  )

  add(
    perms.remove,
    {
      method: 'DELETE',
      path: `${wire.path}/delete`,
      input: removeSchema(resource),
      answer: removedRows,
      writes: true,
      heavy: true,
      logged: 'remove',
    },
    async (call: Call<Record<string, readonly (number | string)[]>>) => {
      const ids = await namedIds(call.db, table, call.scope, call.input)
      call.note({ description: ids.join(', ') })
      await touchRows(call, table, ids)
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
    {
      method: 'POST',
      path: `${wire.path}/export`,
      input: exportSchema(resource),
      answer: exportAnswer,
      writes: true,
      heavy: true,
      logged: 'export',
    },
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
      { method: 'GET', path: `${path}/template`, input: nothing, answer: fileAnswer, writes: false, logged: null },
      (call: Call) => imports.template(table, call),
    )
    add(
      perms.import,
      // Not a write by itself: checking the rows takes a while, and no transaction waits for it.
      {
        method: 'POST',
        path,
        input: nothing,
        answer: importCheck,
        upload: sheetUpload,
        writes: false,
        heavy: true,
        logged: 'import',
      },
      (call: Call, sheet: ReadSheet) => imports.check(table, call, sheet),
    )
    add(
      perms.import,
      { method: 'POST', path: `${path}/run`, input: one, answer: importStarted, writes: true, logged: 'import' },
      (call: Call<{ importId: number }>) => imports.start(table, call),
    )
    add(
      perms.import,
      { method: 'GET', path: `${path}/status`, input: one, answer: importProgress, writes: false, logged: null },
      (call: Call<{ importId: number }>) => imports.status(table, call),
    )
  }

  /** What is known of the rows that a filter leaves, without the rows. */
  const figures = (
    name: string,
    answer: typeof totalAnswer | typeof countsAnswer,
    count: typeof countTotal | typeof countOptions,
  ) =>
    add(
      perms.list,
      {
        method: 'GET',
        path: `${wire.path}/${name}`,
        input: withOtherNames(resource.fields, countsSchema(resource)),
        answer,
        writes: false,
        heavy: true,
        logged: null,
        fieldCodes: { also },
      },
      (call: Call<Record<string, unknown>>) => {
        refuseBackwards(resource, call.input)
        return count(call.db, table, call.scope, call.input)
      },
    )
  figures('total', totalAnswer, countTotal)
  if (countedFields(resource).length > 0) figures('counts', countsAnswer, countOptions)

  for (const name of optionFields(resource)) {
    const target = resource.fields[name]?.target?.().name ?? ''
    add(
      perms.list ?? perms.create,
      {
        method: 'GET',
        path: `${wire.path}/options/${name}`,
        input: optionsSchema,
        answer: optionsAnswer,
        writes: false,
        logged: null,
        fieldCodes: {},
      },
      (call: Call<z.output<typeof optionsSchema>>) => listOptions(call.db, boundTable(target), call.scope, call.input),
    )
  }

  for (const [name, field] of fileFields(resource)) {
    const { storedFiles } = kit.longWork
    const holding = sql`${sql.ref(`t.${storedName(name)}`)} = f.id`
    const held = sql<SqlBool>`exists (select from ${sql.table(table.name)} t where ${holding})`
    storedFiles.keptBy({ resource: resource.name, field: name, held })
    const reading = perms.list ?? perms.create
    add(
      reading,
      {
        method: 'GET',
        path: `${wire.path}/file/${name}`,
        input: fileSchema(resource),
        answer: fileAnswer,
        writes: false,
        logged: field.personal ? 'read' : null,
        fieldCodes: {},
      },
      async (call: Call<{ id: number }>) => {
        if (field.personal) await touchRows(call, table, [call.input.id])
        return storedFiles.fetch(table, name, field, call)
      },
    )
    if (field.writable === 'never') continue
    add(
      reading,
      {
        method: 'POST',
        path: `${wire.path}/upload/${name}`,
        input: uploadSchema,
        answer: fileValue,
        upload: storedFiles.upload(resource.name, name, field),
        writes: true,
        logged: 'action',
      },
      (call: Call<{ name: string }>, received: never) => {
        // Whoever writes rows in any way sends files for them; each row asks again for its own right.
        const mayWrite = [perms.create, perms.update].some((perm) => perm && scopeFor(call.actor, perm))
        if (!mayWrite) throw new AppError(commonErrors.noPermission, { permission: perms.update ?? perms.create })
        return storedFiles.keep(call, received)
      },
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
        answer: action.answer,
        writes: true,
        heavy: action.on !== 'row' || Object.values(action.fields ?? {}).some(takesThousands),
        logged: 'action',
        fieldCodes: {
          faults: eachOf(action.fields ?? {}, (field) => field.faults),
          also: eachOf(action.fields ?? {}, (field) => field.also),
        },
      },
      async (call: Call<Chosen>) => {
        call.note({ description: name })
        await judgeCodes(kit, call.db, action.fields ?? {}, call.input as Record<string, unknown>)
        const ids = action.on === 'matching' ? await chosenIds(call.db, table, call.scope, call.input) : undefined
        await touchRows(call, table, ids ?? namedIn(call.input))
        const { filters: _filters, except: _except, ...input } = call.input
        return run(ids ? { ...call, input: { ...input, ids } } : call)
      },
    )
  }
}

/** The rows an action names, where it names any. */
const namedIn = ({ id, ids = id === undefined ? [] : [id] }: { id?: unknown; ids?: readonly unknown[] | undefined }) =>
  ids.map(Number).filter(Number.isSafeInteger)
const thousandIds = Array.from({ length: 1_000 }, (_, at) => at + 1)
const thousandSerials = thousandIds.map((id) => `S${id}`)
/** Whether a form sends thousands of ids or serial numbers in it. */
const takesThousands = ({ schema }: Field) =>
  [thousandIds, thousandSerials].some((many) => schema.safeParse(many).success)
const eachOf = <T>(fields: Fields, pick: (field: Field) => T): Record<string, T> =>
  Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, pick(field)]))

const nameOf = (resource: Resource, values: Readonly<Record<string, unknown>>) =>
  String(values[resource.identity] ?? '')
