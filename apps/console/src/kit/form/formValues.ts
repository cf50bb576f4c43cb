import { conditionHolds, draftSchema, type Field, patchSchema, type Resource } from '@campanile/contract/kit'
import { isBlank, isTyped } from '../values.ts'

export type Values = Readonly<Record<string, unknown>>
/** What is wrong with a field: a text key with its figures, or what the server said. */
export type FieldError = { key: string; values?: Record<string, unknown> } | { text: string }
export type FieldErrors = Readonly<Record<string, FieldError>>

export const fieldsOf = (resource: Resource): string[] => Object.values(resource.form).flat()

const fieldOf = (resource: Resource, name: string) => resource.fields[name] as Field

/** Entered, and never shown again: blank on edit means unchanged. */
export const isWriteOnly = ({ kind }: Field) => kind === 'secret' || kind === 'masked'

/** A new form starts with what the declaration says, an edit with the row. Secrets never come back from the server. */
export const initialValues = (resource: Resource, row?: Values, given: Values = {}): Values =>
  Object.fromEntries(
    fieldsOf(resource).map((name) => {
      const field = fieldOf(resource, name)
      if (isWriteOnly(field)) return [name, '']
      return [name, row ? (row[name] ?? null) : (given[name] ?? field.initial ?? null)]
    }),
  )

/** The form may have lost a field since what was typed into it was written down. */
export const withKnown = (start: Values, typed: Values): Values => ({
  ...start,
  ...Object.fromEntries(Object.entries(typed).filter(([name]) => name in start)),
})

/** What may be written down in the browser. */
export const withoutSecrets = (resource: Resource, values: Values): Values =>
  Object.fromEntries(Object.entries(values).filter(([name]) => !isWriteOnly(fieldOf(resource, name))))

export const hasSecrets = (resource: Resource, values: Values): boolean =>
  Object.entries(values).some(([name, value]) => isWriteOnly(fieldOf(resource, name)) && !isBlank(value))

/** A condition holds only while the field it asks is in sight itself. */
export const isShown = (resource: Resource, name: string, values: Values): boolean => {
  const field = fieldOf(resource, name)
  if (!field.when) return true
  const known = resource.fields[field.when.field] !== undefined
  return conditionHolds(field, values) && (!known || isShown(resource, field.when.field, values))
}

export const isLocked = (resource: Resource, name: string, editing: boolean): boolean =>
  editing && fieldOf(resource, name).writable === 'once'

const same = (a: unknown, b: unknown) => (isBlank(a) && isBlank(b)) || JSON.stringify(a) === JSON.stringify(b)

export const changedFields = (resource: Resource, from: Values, to: Values): string[] =>
  fieldsOf(resource).filter((name) => !same(from[name], to[name]))

/** What is sent: everything shown for a new row, only what changed for an old one. Blank secrets mean unchanged. */
export const payload = (resource: Resource, from: Values, to: Values, id?: number): Record<string, unknown> => {
  const wanted = id === undefined ? fieldsOf(resource) : changedFields(resource, from, to)
  const entries = wanted
    .filter((name) => fieldOf(resource, name).writable !== 'never' && !isLocked(resource, name, id !== undefined))
    .filter((name) => isShown(resource, name, to))
    .filter((name) =>
      id === undefined ? !isBlank(to[name]) : !isWriteOnly(fieldOf(resource, name)) || !isBlank(to[name]),
    )
    .map((name) => [name, isBlank(to[name]) && !Array.isArray(to[name]) ? null : to[name]])
  return { ...(id === undefined ? {} : { id }), ...Object.fromEntries(entries) }
}

/** The sentence for a broken rule, from the field's own limits. */
const ruleError = (field: Field, value: unknown): FieldError => {
  const { min, max } = field
  if (typeof value === 'string' && max !== undefined && value.trim().length > max)
    return { key: 'kit.error.tooLong', values: { max } }
  if (field.kind === 'number') return { key: 'kit.error.range', values: { min, max } }
  return { key: `kit.error.format.${field.kind}` }
}

/** Rules come from the contract, so what passes here passes the server's check of shape. */
export const checkField = (
  resource: Resource,
  name: string,
  values: Values,
  editing: boolean,
): FieldError | undefined => {
  const field = fieldOf(resource, name)
  if (!isShown(resource, name, values) || isLocked(resource, name, editing)) return undefined
  const value = values[name]
  if (isBlank(value)) {
    const unchangedSecret = editing && isWriteOnly(field)
    if (!field.required || unchangedSecret) return undefined
    // Where the server has words of its own for it, so has the form.
    if (field.faults?.missing !== undefined) return { key: `error.${field.faults.missing}` }
    return { key: isTyped(field.kind) ? 'kit.error.required' : 'kit.error.choose' }
  }
  if (field.kind === 'secret') return undefined
  const schema = editing ? patchSchema(resource) : draftSchema(resource)
  const rule = (schema.shape as Record<string, { safeParse(value: unknown): { success: boolean } }>)[name]
  return rule === undefined || rule.safeParse(value).success ? undefined : ruleError(field, value)
}

/** `from` are the values of the row that is edited: what stands there, by an older rule, does not keep the rest from being saved. */
export const checkAll = (resource: Resource, values: Values, from: Values | undefined): FieldErrors => {
  const errors: Record<string, FieldError> = {}
  const changed = new Set(from ? changedFields(resource, from, values) : fieldsOf(resource))
  for (const name of fieldsOf(resource)) {
    if (!changed.has(name) && !isBlank(values[name])) continue
    const error = checkField(resource, name, values, from !== undefined)
    if (error) errors[name] = error
  }
  return errors
}

/** Which field a refused save is about: the one the server names, else the one whose declaration answers with the code. */
export const fieldOfError = (
  resource: Resource,
  error: { code: number; field?: string | undefined },
): string | undefined => {
  const names = fieldsOf(resource)
  if (error.field !== undefined && names.includes(error.field)) return error.field
  return names.find((name) => Object.values(fieldOf(resource, name).faults ?? {}).includes(error.code))
}
