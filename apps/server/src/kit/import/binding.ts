import { type Draft, type Resource, spreadsheetErrors } from '@campanile/contract'
import { type FieldCodes, toAppError, withFieldCode } from '../answer.ts'
import type { Call } from '../call.ts'
import type { RouteRules } from '../rules.ts'
import type { Table } from '../table.ts'
import type { RowError } from './check.ts'

/** What a room adds to an import of its rows. */
export interface ImportBinding<R extends Resource> {
  /** Instead of the room's own `create`. Secrets arrive as they were typed, not encrypted by a browser. */
  readonly create?: (call: Call<Draft<R>>) => Promise<{ id: number } & object>
  /** The field by which a row may stand under another row of the same file. */
  readonly under?: keyof R['fields'] & string
  /** Rules of the room on one row, told before anything is created. `above` is what it answered for the row it stands under. */
  readonly check?: (call: Call<Draft<R>>, above: never) => Promise<unknown>
  /** Looks up once what the rules of all rows need; what it answers is asked instead of `check`, row by row. */
  readonly prepare?: (call: Call, drafts: readonly Draft<R>[]) => Promise<(draft: Draft<R>) => void>
  /** By field, the code of an empty cell, where a sheet has another than the form. */
  readonly emptied?: Readonly<Partial<Record<keyof R['fields'] & string, number>>>
  /** By field, the room's rule on a secret as it was typed; it throws. Told beside whatever else is wrong with the row. */
  readonly secrets?: Readonly<Record<string, (typed: string) => Promise<unknown>>>
  /** The code of a row that stands in the file twice. Its text is given the key's first field and the earlier row. */
  readonly repeated?: number
  /** Makes a secret whose cell was left blank; it is listed once, in the result. */
  readonly generate?: Readonly<Record<string, () => string>>
}

export type AnyDraft = Record<string, unknown>
/** A resource whose rows can be imported. */
export interface Importable {
  readonly table: Table
  readonly rules: RouteRules
  readonly create: (call: Call<never>) => Promise<object>
  readonly under?: string
  readonly check?: (call: Call<never>, above: never) => Promise<unknown>
  readonly prepare?: (call: Call, drafts: readonly never[]) => Promise<(draft: never) => void>
  readonly emptied?: Readonly<Record<string, number>>
  readonly secrets?: Readonly<Record<string, (typed: string) => Promise<unknown>>>
  readonly repeated?: number
  readonly generate: Readonly<Record<string, () => string>>
  readonly fieldCodes: FieldCodes
}

/** A sealed value opens only where it was put. */
export const contextOf = (runId: number, number: number, name: string) => `import_row.${runId}.${number}.${name}`

export const generatedFor = ({ generate }: Importable, draft: Readonly<AnyDraft>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(generate)
      .filter(([name]) => draft[name] === undefined)
      .map(([name, make]) => [name, make()]),
  )

export const errorOf = ({ fieldCodes }: Importable, error: unknown): RowError => {
  const { code, field, data } = withFieldCode(toAppError(error), fieldCodes)
  return { field: field ?? null, code, data }
}

/** What is said of a row that is there already, by the field that tells rows apart. */
export const alreadyThere = ({ key }: Table): RowError => ({
  field: key[0] ?? null,
  code: spreadsheetErrors.rowExists.code,
})
