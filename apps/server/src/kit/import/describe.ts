import { commonErrors, type Resource, spreadsheetErrors } from '@campanile/contract'
import { errorText, type Language, textOf } from '../../platform/texts.ts'
import type { CodeTables } from '../export/cells.ts'
import type { RowError } from './check.ts'
import { allowed, hint } from './template.ts'

const valuesShown = 12

/** Codes that say that a value is none of those a cell takes. */
const aboutTheValue: readonly number[] = [commonErrors.wrongFormat.code, spreadsheetErrors.valueUnknown.code]

/** What is wrong with a row, by the names people see on the sheet, and what the cell would take. */
export const createDescriber =
  (resource: Resource, codes: CodeTables, language: Language) =>
  ({ field: name, code, data }: RowError) => {
    const field = name === null ? undefined : resource.fields[name]
    const label = field && name !== null ? textOf(`${resource.name}.field.${name}`, language) : name
    const said = errorText(code, language, { ...data, ...(data?.field !== undefined && { field: label }) })
    const asked =
      field && (aboutTheValue.includes(code) || code === field.faults?.wrong) ? takes(name ?? '') : undefined
    return { field: name, code, message: asked === undefined ? said : `${said} ${asked}` }

    function takes(column: string): string | undefined {
      const values = allowed(resource, column, language, codes)
      if (values.length === 0)
        return field && code === commonErrors.wrongFormat.code ? hint(field, language, field.kind) : undefined
      const shown = values.slice(0, valuesShown).join(textOf('sheet.and', language))
      return textOf(values.length > valuesShown ? 'sheet.allowedSome' : 'sheet.allowed', language, { values: shown })
    }
  }
