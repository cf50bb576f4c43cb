import { z } from 'zod'
import type { Action, Resource } from './resource.ts'
import { fieldsShape, filterShape, readAsQuery, refuseMissing } from './schema.ts'

/** Rows that one action works on at once. */
const rowsMax = 10_000
const id = z.number().int().positive()
const ids = z.array(id).min(1).max(rowsMax)

const subjectShape = (resource: Resource, { on }: Action): Record<string, z.ZodType> => {
  switch (on) {
    case 'row':
      return { id }
    case 'rows':
      return { ids }
    case 'matching':
      return {
        ids: ids.optional(),
        filters: z.preprocess(readAsQuery, z.strictObject(filterShape(resource)).optional()),
        except: z.array(id).max(rowsMax).optional(),
      }
    case 'list':
      return {}
  }
}

/** What a call of an action takes: the rows it works on, and its fields. */
export const actionSchema = (resource: Resource, action: Action): z.ZodObject =>
  z
    .strictObject({ ...subjectShape(resource, action), ...fieldsShape(action.fields ?? {}) })
    .check(refuseMissing(action.fields ?? {}) as never, (input) => {
      const { ids: chosen, filters } = input.value as { ids?: unknown; filters?: unknown }
      if (action.on === 'matching' && (chosen === undefined) === (filters === undefined))
        input.issues.push({ code: 'custom', path: ['ids'], input: chosen })
    })
