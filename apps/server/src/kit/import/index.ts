import { AppError, importFeedback, type Perm, type Resource, spreadsheetErrors } from '@campanile/contract'
import type { Db } from '../../platform/db.ts'
import { errorText, textOf } from '../../platform/texts.ts'
import { RawAnswer } from '../answer.ts'
import type { Call } from '../call.ts'
import { attachment } from '../export/download.ts'
import type { LongWorkDeps } from '../long-work-deps.ts'
import { byIdentity } from '../refs.ts'
import { boundTable, type Table } from '../table.ts'
import type { ReadSheet } from '../upload/sheet.ts'
import { type AnyDraft, alreadyThere, contextOf, errorOf, generatedFor, type Importable } from './binding.ts'
import { type CheckedRow, checkRows, isThere, notMeant, type Resolver } from './check.ts'
import { importColumns } from './columns.ts'
import { createDescriber } from './describe.ts'
import { findRun, insertRows, insertRun, markRunning, progressOf, removeOldRuns } from './import.store.ts'
import { type Result, storeResult } from './result.ts'
import { createImportRun, type ImportJob } from './run.ts'
import { createIsExample, writeTemplate } from './template.ts'
import { byLevel } from './tree.ts'

const previewRows = 20
const rate = { name: 'import', limit: 20, seconds: 60, by: 'person' } as const
const hourMs = 3_600_000

/** Spreadsheets people fill in: checked whole, then created row by row by the room's own rules. */
export const createImports = (deps: LongWorkDeps) => {
  const { db, jobs, codes, seal, limit } = deps
  const bound = new Map<string, Importable>()
  const { run, gaveUp } = createImportRun(deps, bound)
  const resolvers = new Map<string, Resolver>()

  const boundTo = (table: Table): Importable => bound.get(table.resource.name) as Importable

  const template = async (table: Table, { caller }: Call) => {
    const { resource } = table
    const { generate, under } = boundTo(table)
    const stream = writeTemplate(resource, caller.language, await codes(db), {
      generated: Object.keys(generate),
      under,
    })
    const name = `${textOf(`${resource.name}.title`, caller.language)}.xlsx`
    return new RawAnswer((reply) => attachment(reply, name, { stream }))
  }

  /** Nothing is created yet: every error of every row, and a number to go on with. */
  const check = async (table: Table, call: Call, sheet: ReadSheet) => {
    const { resource } = table
    const { caller, scope, actor } = call
    const spec = boundTo(table)
    await limit(rate, String(actor.id))
    const tables = await codes(db)
    const checked = await checkRows(table, sheet.rows, {
      db,
      scope,
      codes: tables,
      resolverOf: (name) => resolvers.get(name) ?? byIdentity(boundTable(name)),
      generated: Object.keys(spec.generate),
      under: spec.under,
      emptied: spec.emptied,
      repeated: spec.repeated,
      isExample: createIsExample(resource, tables),
      titleOf: (name) => textOf(`${resource.name}.field.${name}`, caller.language),
    })
    const { rows } = checked
    await judgeSecrets(spec, rows)
    await judge(spec, rows, call)
    const columns = checked.columns.filter((name) => name !== null)
    const shown = (name: string, text = '') => (secrets.includes(name) && text ? '***' : text)
    const secrets = importColumns(resource).filter((name) => resource.fields[name]?.kind === 'secret')
    const importId = await db.transaction().execute(async (transaction) => {
      const tx = transaction as Db
      const departmentId = scope.departmentId
      const total = rows.length
      const id = await insertRun(tx, {
        resource: resource.name,
        userId: actor.id,
        departmentId,
        headers: checked.headers,
        total,
      })
      const sealed = rows.map((row) => ({
        ...row,
        cells: row.cells.map((cell, index) => (secrets.includes(checked.columns[index] ?? '') ? null : cell)),
        draft: sealSecrets(id, row.number, row.draft, secrets),
      }))
      await insertRows(tx, id, sealed)
      return id
    })
    const wrong = rows.filter((row) => row.errors.length > 0)
    const existing = rows.filter(isThere)
    const valid = rows.length - wrong.length - existing.length
    const describe = createDescriber(resource, tables, caller.language)
    const told = rows.map((row) => ({ row, errors: isThere(row) ? [alreadyThere(table)] : row.errors }))
    call.note({ description: `${valid} of ${rows.length}` })
    return {
      importId,
      total: rows.length,
      valid,
      existing: existing.length,
      ...(sheet.read && { read: sheet.read }),
      errors: told.flatMap(({ row, errors }) => errors.map((error) => ({ row: row.number, ...describe(error) }))),
      preview: rows
        .slice(0, previewRows)
        .map(({ texts }) => Object.fromEntries(columns.map((name) => [name, shown(name, texts[name])]))),
    }
  }

  const judgeSecrets = async (spec: Importable, rows: readonly CheckedRow[]) => {
    for (const row of rows)
      for (const [name, refuse] of Object.entries(spec.secrets ?? {})) {
        const typed = row.draft[name]
        if (typeof typed === 'string' && !row.exists)
          await refuse(typed).catch((error: unknown) => row.errors.push({ ...errorOf(spec, error), field: name }))
      }
  }

  /** The room's own rules, each row after the one it stands under. */
  const judge = async (spec: Importable, rows: readonly CheckedRow[], call: Call) => {
    const answers = new Map<number, unknown>()
    const right = new Set<number>()
    const fails = (row: CheckedRow) => row.errors.push(notMeant(spec.under ?? '', row.texts[spec.under ?? ''] ?? ''))
    const levels = byLevel(rows)
    const reached = new Set(levels.flat())
    for (const row of rows) if (!reached.has(row)) fails(row)
    const sound = rows.filter((row) => row.errors.length === 0 && !row.exists)
    const prepared = await spec.prepare?.(
      call,
      sound.map(({ draft }) => draft as never),
    )
    for (const row of levels.flat()) {
      if (row.above !== null && !right.has(row.above)) fails(row)
      if (row.errors.length > 0 || row.exists) continue
      try {
        const input = { ...generatedFor(spec, row.draft), ...row.draft }
        const above = answers.get(row.above ?? 0) as never
        if (prepared) prepared(input as never)
        else answers.set(row.number, await spec.check?.({ ...call, input } as unknown as Call<never>, above))
        right.add(row.number)
      } catch (error) {
        row.errors.push(errorOf(spec, error))
      }
    }
  }

  const sealSecrets = (runId: number, number: number, draft: Readonly<AnyDraft>, secrets: readonly string[]) =>
    Object.fromEntries(
      Object.entries(draft).map(([name, value]) => [
        name,
        secrets.includes(name) ? seal.seal(String(value), contextOf(runId, number, name)) : value,
      ]),
    )

  const start = async (table: Table, call: Call<{ importId: number }>) => {
    const run = await findRun(call.db, table.resource.name, call.actor.id, call.input.importId)
    if (!run) throw new AppError(spreadsheetErrors.importGone)
    if (!(await markRunning(call.db, run.id))) throw new AppError(spreadsheetErrors.importStarted)
    const { actor, caller } = call
    const operating = actor.operating?.id ?? null
    const job: ImportJob = { runId: run.id, resource: run.resource, userId: actor.id, operating, caller }
    const jobId = await jobs.enqueue(call.db, 'import', job)
    call.note({ description: `${run.total}` })
    return { jobId, importId: run.id }
  }

  const status = async (table: Table, call: Call<{ importId: number }>) => {
    const run = await findRun(call.db, table.resource.name, call.actor.id, call.input.importId)
    if (!run) throw new AppError(spreadsheetErrors.importGone)
    const { state, total, fileId } = run
    if (state !== 'done') {
      const { waiting, created, failed, skipped } = await progressOf(call.db, run.id)
      return { state, total, done: total - waiting, created, failed, skipped, fileId }
    }
    const { created, failed, skipped } = run
    const result = { state, total, done: total, created, failed, skipped, fileId }
    // With 30000 the console keeps a notice open until it is closed (behaviour: api.rows-refused).
    const feedback = { code: importFeedback, message: errorText(importFeedback, call.caller.language) }
    return failed > 0 ? { ...result, ...feedback } : result
  }

  jobs.register<ImportJob>('import', { run: (job, { signal }) => run(job, signal), gaveUp, atOnce: 2 })
  jobs.every('forgetting old imports', hourMs, () => removeOldRuns(db))

  return {
    /** How rows are found by the names people write, where their identity alone does not tell; given by the room that owns them. */
    resolves: ({ name }: Resource, resolver: Resolver) => {
      resolvers.set(name, resolver)
    },
    /** Failed rows of a file a room reads by itself, kept where those of every import are. */
    storeResult: (result: Result) => storeResult(deps, result),
    bind: (table: Table, perm: Perm, spec: Omit<Importable, 'table' | 'rules'>) => {
      const { name, scope } = table.resource
      if (table.key.length === 0) throw new Error(`${name} can be imported but no key tells its rows apart`)
      bound.set(name, { ...spec, table, rules: { perm, scope, module: name, logged: 'import', whileExpired: false } })
    },
    template,
    check,
    start,
    status,
  }
}
