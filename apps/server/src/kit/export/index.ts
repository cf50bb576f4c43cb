import { AppError, commonErrors, type Perm, type Resource } from '@campanile/contract'
import { sql } from 'kysely'
import { type AuditLine, recordOperation } from '../../platform/audit.ts'
import type { Db } from '../../platform/db.ts'
import { fenced } from '../../platform/fence.ts'
import { writeWorkbook } from '../../platform/sheet/write.ts'
import { errorText, textOf } from '../../platform/texts.ts'
import { type Actor, fenceOf, type Scope } from '../actor.ts'
import { toAppError } from '../answer.ts'
import type { Call, Caller, Touched } from '../call.ts'
import { matchingNow, ordering } from '../list/query.ts'
import type { LongWorkDeps } from '../long-work-deps.ts'
import { type RouteRules, scopeOf } from '../rules.ts'
import { askedTable, selection, source, type Table } from '../table.ts'
import { notesByPlace, reachesHomeOnly } from '../touched.ts'
import { createCells } from './cells.ts'

/** What `exportSchema` lets through. */
export interface ExportInput {
  readonly flag?: 0 | 1
  readonly ids?: number[]
  readonly except?: number[]
  readonly columns?: string[]
  readonly sort?: string
  readonly timeZone: string
  readonly filters: Readonly<Record<string, unknown>>
}

interface ExportJob {
  readonly fileId: number
  readonly resource: string
  readonly userId: number
  readonly operating: number | null
  readonly caller: Caller
  readonly input: ExportInput
}

const atOnce = 4
const batchRows = 1_000
const maxBytes = 4 * 1024 ** 3 - 1
const rate = { name: 'export', limit: 10, seconds: 60, by: 'person' } as const

/** Spreadsheets of the rows somebody sees, made while they do something else. */
export const createExports = (deps: LongWorkDeps) => {
  const { db, reading, jobs, files, records, notify, actorOf, codes, keepDays, limit } = deps
  const bound = new Map<string, { table: Table; rules: RouteRules }>()

  /** Checks what was asked, then leaves the rest to a job. Runs in the call's transaction. */
  const start = async (table: Table, call: Call<ExportInput>) => {
    const { actor, caller, input } = call
    // No row chosen is not every row.
    if (input.flag === 1 ? !input.ids?.length : input.flag === undefined && input.ids?.length === 0)
      throw missing('ids')
    await limit(rate, String(actor.id))
    const fileName = `${textOf(`${table.resource.name}.title`, caller.language)} ${stamp(input.timeZone)}.xlsx`
    const { departmentId } = call.scope
    const fileId = await records.begin(call.db, { name: fileName, departmentId, creatorId: actor.id })
    const operating = actor.operating?.id ?? null
    const job: ExportJob = { fileId, resource: table.resource.name, userId: actor.id, operating, caller, input }
    await jobs.enqueue(call.db, 'export', job)
    call.note({ description: fileName, after: asked(input) })
    call.touched(await findTouched(call.db, table, call, input, fileName))
    return { fileName, fileId }
  }

  const run = async (job: ExportJob, signal: AbortSignal) => {
    const target = bound.get(job.resource)
    if (!target) throw new Error(`${job.resource} is no longer exported`)
    // The key is written down first: whatever happens later, the file can be found and removed.
    const file = await records.claim(db, job.fileId, files.newKey())
    // Deleted by its owner, or finished by the try before this one.
    if (!file) return
    const actor = await actorOf(job.userId, job.operating)
    if (!actor) throw new AppError(commonErrors.noPermission)
    // Rights may have gone since the button was pressed: what counts is what they are now.
    const scope = scopeOf(target.rules, actor)
    const progress = progressOf((percent) => records.progress(db, job.fileId, percent))
    const written = { rows: 0 }
    const content = writeWorkbook([await sheetOf(target.table, { actor, scope }, job, written, progress)])
    const { size, sha256 } = await files.put(content, { maxBytes, key: file.storedAs, signal })
    const touched = await findTouched(db, target.table, { actor, scope }, job.input, file.name)
    await db
      .transaction()
      .execute((tx) => finish(tx as Db, job, target.rules, actor, { ...file, size, sha256, written, touched }))
  }

  const sheetOf = async (
    kept: Table,
    { actor, scope }: { actor: Actor; scope: Scope },
    job: ExportJob,
    written: { rows: number },
    progress: (share: number) => void,
  ) => {
    const { input, caller } = job
    const { resource } = kept
    // Chosen sums are sums of what was filtered when they were chosen.
    const table = askedTable(kept, scope, input.filters)
    const where = await matchingNow(db, table, scope, chosenBy(input))
    const columns = input.columns ?? resource.list.columns
    const cells = createCells(resource, { language: caller.language, timeZone: input.timeZone, codes: await codes(db) })
    const toCells = cells.row(columns)
    await table.beforeReading?.(db)
    const batches = async function* () {
      // One snapshot for the count and for every batch, on a connection that serves no requests.
      const begun = reading.startTransaction().setIsolationLevel('repeatable read').setAccessMode('read only')
      const tx = await fenced(fenceOf(actor), () => begun.execute())
      try {
        const counted = await sql<{
          total: number
        }>`select count(*) as total from ${source(table)} where ${where}`.execute(tx)
        const total = counted.rows[0]?.total ?? 0
        await sql`declare exported no scroll cursor for
          select ${selection(table, scope, neededFor(resource, columns))} from ${source(table)} where ${where}
          order by ${ordering(table, scope, input.sort ?? resource.list.sort)}`.execute(tx)
        for (;;) {
          const { rows } = await sql<Record<string, unknown>>`fetch ${sql.lit(batchRows)} from exported`.execute(tx)
          if (rows.length === 0) break
          yield (table.reveal ? await table.reveal(tx, scope, rows) : rows).map(toCells)
          written.rows += rows.length
          progress(written.rows / total)
        }
      } finally {
        await tx.rollback().execute()
      }
    }
    return {
      name: textOf(`${resource.name}.title`, caller.language),
      columns: columns.map((name) => ({ header: cells.header(name), width: widthOf(resource, name) })),
      batches: batches(),
    }
  }

  const finish = async (
    tx: Db,
    job: ExportJob,
    rules: RouteRules,
    actor: Actor,
    file: {
      name: string
      storedAs: string
      size: number
      sha256: Buffer
      written: { rows: number }
      touched: readonly Touched[]
    },
  ) => {
    const { size, sha256, written, touched } = file
    const stored = { size, sha256, rows: written.rows, keepDays: await keepDays() }
    if (!(await records.complete(tx, job.fileId, stored))) return files.remove(file.storedAs)
    await notify.notify(tx, [job.userId], {
      type: 'export',
      word: 'exportDone',
      data: { fileName: file.name, rows: file.written.rows },
      link: filesRoute,
      file: { id: job.fileId, until: new Date(Date.now() + stored.keepDays * 86_400_000).toISOString() },
    })
    const told = { description: `${file.name}: ${file.written.rows}`, after: asked(job.input) }
    for (const note of await notesByPlace(tx, actor, told, [{ rows: touched }])) await log(tx, job, rules, actor, note)
  }

  const gaveUp = async (job: ExportJob, reason: unknown) => {
    const error = toAppError(reason)
    const why = errorText(error.code, job.caller.language, error.data)
    await db.transaction().execute(async (transaction) => {
      const tx = transaction as Db
      const file = await records.fail(tx, job.fileId, { reason: why, keepDays: await keepDays() })
      if (!file) return
      if (file.storedAs) await files.remove(file.storedAs)
      await notify.notify(tx, [job.userId], {
        type: 'export',
        word: 'exportFailed',
        data: { fileName: file.name, reason: why },
        link: filesRoute,
      })
      const actor = await actorOf(job.userId, job.operating)
      const rules = bound.get(job.resource)?.rules
      if (rules) await log(tx, job, rules, actor, { description: file.name, code: error.code })
    })
  }

  const log = (
    tx: Db,
    { caller }: ExportJob,
    rules: RouteRules,
    actor: Actor | null,
    { code, ...line }: Pick<AuditLine, 'description' | 'after' | 'place'> & { code?: number },
  ) =>
    recordOperation(tx, {
      ...line,
      actor,
      clientIp: caller.ip,
      host: caller.host,
      userAgent: caller.userAgent,
      route: 'job export',
      module: rules.module,
      type: 'export',
      result: code ? 'failed' : 'success',
      code: code ?? 100000,
    })

  jobs.register<ExportJob>('export', { run: (job, { signal }) => run(job, signal), gaveUp, atOnce })

  return {
    bind: (table: Table, perm: Perm) => {
      const { name, scope } = table.resource
      bound.set(name, { table, rules: { perm, scope, module: name, logged: 'export', whileExpired: false } })
    },
    start,
  }
}

export const filesRoute = '/IOT/files/list'

/** With a flag one of both counts; without it everything that was sent. */
const chosenBy = ({ flag, ids, except, filters }: ExportInput) => ({
  ...(flag !== 0 && { ids }),
  ...(flag !== 1 && { ...filters, except }),
})

/** Where the rows of a sheet lie; the sheet's own name is all that each enterprise reads of it. */
const findTouched = async (
  db: Db,
  table: Table,
  { actor, scope }: { readonly actor: Actor; readonly scope: Scope },
  input: ExportInput,
  name: string,
): Promise<Touched[]> => {
  if (!table.path || reachesHomeOnly(actor, scope)) return []
  const where = await matchingNow(db, table, scope, chosenBy(input))
  const { rows } = await sql<{ path: string }>`select distinct (${table.path})::text as path from ${source(table)}
    where ${where} and ${table.path} is not null`.execute(db)
  return rows.map(({ path }) => ({ path, name }))
}

const missing = (field: string) => new AppError({ ...commonErrors.missingParameter, field }, { field })

/** What the operation log shows of a request: how the rows were chosen, not a list of ten thousand ids. */
const asked = ({ flag, ids, except, filters, columns, sort }: ExportInput) => ({
  ...(flag !== 0 && ids && { chosen: ids.length }),
  ...(flag !== 1 && { filters, ...(except?.length && { except: except.length }) }),
  ...(columns && { columns }),
  ...(sort && { sort }),
})

const neededFor = (resource: Resource, columns: readonly string[]) => [
  ...new Set(
    columns.flatMap((name) => {
      const { nameField, giving } = resource.fields[name] ?? {}
      return [name, nameField ?? name, giving?.field ?? name]
    }),
  ),
]

const widthOf = (resource: Resource, name: string) => {
  const { kind, max = 16 } = resource.fields[name] ?? {}
  if (kind === 'timestamp') return 20
  return kind === 'longText' ? 60 : Math.min(Math.max(max, 12), 36)
}

/** `20260131-163005` on the clock of whoever asked. */
const stamp = (timeZone: string) =>
  new Date().toLocaleString('sv-SE', { timeZone }).replace(/[-:]/g, '').replace(' ', '-')

/** At most one write a second, and none for what nobody would see. */
const progressOf = (write: (percent: number) => Promise<unknown>) => {
  let shown = 0
  let at = Date.now()
  return (share: number) => {
    const percent = Math.min(99, Math.floor(share * 100))
    if (percent <= shown || Date.now() - at < 1_000) return
    shown = percent
    at = Date.now()
    void write(percent).catch(() => undefined)
  }
}
