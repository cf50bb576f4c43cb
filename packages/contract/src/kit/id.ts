import { z } from 'zod'

/** Which kind of row an id in an input names, where no field of a resource says it. */
const subjects = z.registry<{ readonly of: () => string }>()

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
export const subjectOf = (rule: z.ZodType): string | undefined => {
  const own = subjects.get(rule)
  if (own) return own.of()
  if (rule instanceof z.ZodOptional || rule instanceof z.ZodNullable || rule instanceof z.ZodDefault)
    return subjectOf(rule.unwrap() as z.ZodType)
  if (rule instanceof z.ZodArray) return subjectOf(rule.element as z.ZodType)
  if (rule instanceof z.ZodPipe) return subjectOf(rule.out as z.ZodType)
  return undefined
}
