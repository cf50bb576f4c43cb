import { type Sheet, writeWorkbook } from '../../platform/sheet/write.ts'
import { type Language, textOf } from '../../platform/texts.ts'
import type { LongWorkDeps } from '../long-work-deps.ts'
import type { Table } from '../table.ts'
import { createHeaderReader } from './columns.ts'

export interface Result {
  readonly table: Table
  readonly headers: readonly string[]
  readonly language: Language
  readonly departmentId: number
  readonly userId: number
  readonly failed: readonly { cells: readonly (string | null)[]; reasons: readonly string[] }[]
  readonly shown: readonly { cells: readonly (string | null)[]; shown: Readonly<Record<string, string>> }[]
}

const maxBytes = 64 * 1024 ** 2

/** Rows that failed as they were sent, with a reason each, and secrets that were made. Null when there is nothing to tell. */
export const storeResult = async (
  { db, files, records, keepDays }: LongWorkDeps,
  { table, headers, language, departmentId, userId, failed, shown }: Result,
): Promise<number | null> => {
  const { resource } = table
  const reason = textOf('sheet.reason', language)
  // Somebody sends back a corrected result: its old reasons make room for the new ones.
  const kept = headers.flatMap((header, index) => (header.trim().toLowerCase() === reason.toLowerCase() ? [] : [index]))
  const own = (cells: readonly (string | null)[]) => kept.map((index) => cells[index] ?? null)
  const columns = kept.map((index) => ({ header: headers[index] ?? '', width: 22 }))
  const secrets = Object.keys(shown[0]?.shown ?? {})
  const sheets: Sheet[] = []
  if (failed.length > 0)
    sheets.push({
      name: textOf('sheet.failed', language),
      columns: [...columns, { header: reason, width: 60 }],
      batches: [failed.map(({ cells, reasons }) => [...own(cells), reasons.join(' ')])],
    })
  if (shown.length > 0) {
    // A made secret stands where one would have been written.
    const read = createHeaderReader(resource)
    const written = kept.map((index) => read(headers[index] ?? ''))
    const extra = secrets.filter((name) => !written.includes(name))
    sheets.push({
      name: textOf('sheet.created', language),
      columns: [...columns, ...extra.map((name) => ({ header: textOf(`${resource.name}.field.${name}`, language) }))],
      batches: [
        shown.map((row) => [
          ...own(row.cells).map((cell, at) => row.shown[written[at] ?? ''] ?? cell),
          ...extra.map((name) => row.shown[name] ?? null),
        ]),
      ],
    })
  }
  if (sheets.length === 0) return null

  const { key, size, sha256 } = await files.put(writeWorkbook(sheets), { maxBytes })
  const title = textOf(`${resource.name}.title`, language)
  const what = shown.length > 0 ? title : `${title} (${textOf('sheet.failed', language)})`
  return records.addResult(db, {
    name: `${what} ${new Date().toISOString().slice(0, 10)}.xlsx`,
    key,
    size,
    sha256,
    rows: failed.length + shown.length,
    departmentId,
    creatorId: userId,
    keepDays: await keepDays(),
  })
}
