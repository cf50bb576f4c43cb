import { AppError, commonErrors, type Resource, success } from '@campanile/contract'
import { recordOperation } from '../../platform/audit.ts'
import type { Db } from '../../platform/db.ts'
import { fenced } from '../../platform/fence.ts'
import { type Actor, fenceOf, type Scope } from '../actor.ts'
import { toAppError } from '../answer.ts'
import type { Call, Caller, Note, TouchedRows } from '../call.ts'
import { filesRoute } from '../export/index.ts'
import type { LongWorkDeps } from '../long-work-deps.ts'
import { scopeOf } from '../rules.ts'
import { notesByPlace, touchRows } from '../touched.ts'
import { type AnyDraft, alreadyThere, contextOf, errorOf, generatedFor, type Importable } from './binding.ts'
import { markExisting } from './check.ts'
import { createDescriber } from './describe.ts'
import { findRun, finishRun, type ImportRow, progressOf, rowsOf, settleRow, skipRows } from './import.store.ts'
import { storeResult } from './result.ts'
import { byLevel } from './tree.ts'

export interface ImportJob {
  readonly runId: number
  readonly resource: string
  readonly userId: number
  readonly operating: number | null
  readonly caller: Caller
}

/** Creates the rows of a checked file, each by the room's own rules. A restart goes on where it stopped. */
export const createImportRun = (deps: LongWorkDeps, bound: ReadonlyMap<string, Importable>) => {
  const { db, actorOf, notify, seal } = deps

  const run = async (job: ImportJob, signal: AbortSignal) => {
    const spec = bound.get(job.resource)
    if (!spec) throw new Error(`${job.resource} is no longer imported`)
    const actor = await actorOf(job.userId, job.operating)
    // Rights may have gone since the file was checked.
    const scope = actor && scopeOf(spec.rules, actor)
    if (!actor || !scope) throw new AppError(commonErrors.noPermission)
    const importRun = await findRun(db, job.resource, job.userId, job.runId)
    if (importRun?.state !== 'running') return
    const waiting = await rowsOf(db, job.runId, 'waiting')
    const rows = waiting.map((row) => ({ ...row, draft: unsealed(job.runId, row, spec.table.resource), exists: false }))
    await markExisting(spec.table, rows, { db, scope })
    await skipRows(
      db,
      job.runId,
      rows.filter((row) => row.exists).map((row) => row.number),
    )
    const made = new Map((await rowsOf(db, job.runId, 'created')).map((row) => [row.number, row.createdId]))
    for (const level of byLevel(rows.filter((row) => !row.exists))) {
      // Two at a time: most of a row's cost is hashing its password, which leaves the database idle.
      const queue = level[Symbol.iterator]()
      const createNext = async () => {
        for (const row of queue) {
          signal.throwIfAborted()
          const id = await fenced(fenceOf(actor), () => createOne(job, spec, actor, scope, placed(spec, row, made)))
          if (id !== undefined) made.set(row.number, id)
        }
      }
      const ends = await Promise.allSettled([createNext(), createNext()])
      for (const end of ends) if (end.status === 'rejected') throw end.reason
    }
    await finish(job, importRun.departmentId, importRun.headers)
  }

  /** Under what became of the row it stands under; nothing when that one could not be created. */
  const placed = <T extends { above: number | null; draft: AnyDraft }>(
    { under }: Importable,
    row: T,
    made: ReadonlyMap<number, number | null>,
  ): T =>
    under && row.above !== null ? { ...row, draft: { ...row.draft, [under]: made.get(row.above) ?? undefined } } : row

  /** A row and its line in the operation log, or neither. Answers its id. */
  const createOne = async (
    job: ImportJob,
    spec: Importable,
    actor: Actor,
    scope: Scope,
    row: { number: number; draft: AnyDraft },
  ): Promise<number | undefined> => {
    const made = generatedFor(spec, row.draft)
    const touched: TouchedRows[] = []
    const afterCommit: (() => unknown)[] = []
    try {
      const id = await db.transaction().execute(async (transaction) => {
        const tx = transaction as Db
        const call = {
          actor,
          scope,
          input: { ...row.draft, ...made },
          db: tx,
          caller: job.caller,
          note: (_: Note) => undefined,
          touched: (rows: TouchedRows['rows'], tell?: TouchedRows['tell']) => touched.push({ rows, tell }),
          afterCommit: (task: () => unknown) => afterCommit.push(task),
        } as unknown as Call<never>
        const { id } = (await spec.create(call)) as { id: number }
        const sealed = Object.fromEntries(
          Object.entries(made).map(([name, value]) => [name, seal.seal(value, contextOf(job.runId, row.number, name))]),
        )
        await settleRow(tx, job.runId, row.number, {
          state: 'created',
          createdId: id,
          ...(Object.keys(made).length > 0 && { shown: sealed }),
        })
        await touchRows(call, spec.table, [id])
        await log(tx, job, spec, actor, row.draft, touched)
        return id
      })
      for (const task of afterCommit) await task()
      return id
    } catch (error) {
      const appError = toAppError(error)
      // Ours, not the row's: the job is tried again and goes on here.
      if (appError.status >= 500) throw error
      await settleRow(db, job.runId, row.number, { state: 'failed', errors: [errorOf(spec, error)] })
      return undefined
    }
  }

  const log = async (
    tx: Db,
    { caller }: ImportJob,
    spec: Importable,
    actor: Actor,
    draft: AnyDraft,
    touched: readonly TouchedRows[],
  ) => {
    const { resource } = spec.table
    const open = Object.entries(draft).filter(
      ([name]) => !['secret', 'masked'].includes(resource.fields[name]?.kind ?? ''),
    )
    const note = { description: String(draft[resource.identity] ?? ''), after: Object.fromEntries(open) }
    for (const told of await notesByPlace(tx, actor, note, touched))
      await recordOperation(tx, {
        ...told,
        actor,
        clientIp: caller.ip,
        host: caller.host,
        userAgent: caller.userAgent,
        route: 'job import',
        module: spec.rules.module,
        type: 'import',
        result: 'success',
        code: success,
      })
  }

  const finish = async (job: ImportJob, departmentId: number, headers: readonly string[]) => {
    const language = job.caller.language
    const { table } = bound.get(job.resource) as Importable
    const describe = createDescriber(table.resource, await deps.codes(db), language)
    const left = [...(await rowsOf(db, job.runId, 'failed')), ...(await rowsOf(db, job.runId, 'skipped'))]
    const failed = left
      .sort((a, b) => a.number - b.number)
      .map(({ cells, errors, state }) => ({
        cells,
        reasons: (state === 'skipped' ? [alreadyThere(table)] : (errors ?? [])).map((error) => describe(error).message),
      }))
    const created = (await rowsOf(db, job.runId, 'created')).filter((row) => row.shown)
    const shown = created.map((row) => ({ cells: row.cells, shown: unsealedShown(job.runId, row) }))
    const fileId = await storeResult(deps, {
      table,
      headers,
      language,
      departmentId,
      userId: job.userId,
      failed,
      shown,
    })
    await db.transaction().execute(async (transaction) => {
      const tx = transaction as Db
      const counts = await progressOf(tx, job.runId)
      await finishRun(tx, job.runId, fileId)
      await notify.notify(tx, [job.userId], {
        type: 'import',
        word: counts.failed > 0 ? 'importFailed' : 'importDone',
        data: { created: counts.created, skipped: counts.skipped, failed: counts.failed },
        link: filesRoute,
        ...(fileId !== null && { file: { id: fileId, until: null } }),
      })
    })
  }

  /** Nothing more can be done: what is left of the rows goes into the result with the reason. */
  const gaveUp = async (job: ImportJob, reason: unknown) => {
    const { code, data } = toAppError(reason)
    const importRun = await findRun(db, job.resource, job.userId, job.runId)
    if (importRun?.state !== 'running') return
    for (const row of await rowsOf(db, job.runId, 'waiting'))
      await settleRow(db, job.runId, row.number, { state: 'failed', errors: [{ field: null, code, data }] })
    await finish(job, importRun.departmentId, importRun.headers)
  }

  const unsealed = (runId: number, row: ImportRow, resource: Resource): AnyDraft =>
    Object.fromEntries(
      Object.entries(row.draft ?? {}).map(([name, value]) => [
        name,
        resource.fields[name]?.kind === 'secret'
          ? seal.unseal(String(value), contextOf(runId, row.number, name))
          : value,
      ]),
    )
  const unsealedShown = (runId: number, row: ImportRow): Record<string, string> =>
    Object.fromEntries(
      Object.entries(row.shown ?? {}).map(([name, value]) => [
        name,
        seal.unseal(value, contextOf(runId, row.number, name)),
      ]),
    )

  return { run, gaveUp }
}
