import { z } from 'zod'

/** Which kind of row an id in an input names, where no field of a resource says it. */
const subjects = z.registry<{ readonly of: () => string }>()
/** The same for the name of a row. */
const namings = z.registry<{ readonly of: () => string }>()

/** A resource, or the name of a kind of row that is no resource's. */
type Subject = string | (() => { readonly name: string })
const nameOf = (subject: Subject) => () => (typeof subject === 'string' ? subject : subject().name)

/** An id in a body. */
export const idOf = (subject: Subject) =>
  z
    .number()
    .int()
    .positive()
    .register(subjects, { of: nameOf(subject) })
/** An id in an address, which is text. */
export const idInQuery = (subject: Subject) =>
  z.coerce
    .number<string | number>()
    .int()
    .positive()
    .register(subjects, { of: nameOf(subject) })

/** What a rule's number, or each number of its list, stands for. */
export const subjectOf = (rule: z.ZodType): string | undefined => foundIn(subjects, rule)?.()

const foundIn = (registry: typeof subjects, rule: z.ZodType): (() => string) | undefined => {
  const own = registry.get(rule)
  if (own) return own.of
  if (rule instanceof z.ZodOptional || rule instanceof z.ZodNullable || rule instanceof z.ZodDefault)
    return foundIn(registry, rule.unwrap() as z.ZodType)
  if (rule instanceof z.ZodArray) return foundIn(registry, rule.element as z.ZodType)
  if (rule instanceof z.ZodPipe) return foundIn(registry, rule.out as z.ZodType)
  return undefined
}

/** A row by the field that names it: a device by its serial number. */
export const named = <T extends z.ZodType>(subject: Subject, rule: T): T => {
  namings.add(rule, { of: nameOf(subject) })
  return rule
}

/** A part of an input that says which rows are meant, by their ids or by the field that names them. */
export interface RowNaming {
  readonly key: string
  readonly of: () => string
  readonly by: 'id' | 'identity'
}
export const rowsNamedBy = (input: z.ZodType): RowNaming[] => {
  if (!(input instanceof z.ZodObject)) return []
  return Object.entries(input.shape as Record<string, z.ZodType>).flatMap(([key, rule]): RowNaming[] => {
    const byId = foundIn(subjects, rule)
    const byName = foundIn(namings, rule)
    return [
      ...(byId ? [{ key, of: byId, by: 'id' } as const] : []),
      ...(byName ? [{ key, of: byName, by: 'identity' } as const] : []),
    ]
  })
}
