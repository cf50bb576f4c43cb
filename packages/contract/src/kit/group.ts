import type { z } from 'zod'
import type { Field } from './field.ts'
import type { Fields, FieldValues } from './resource.ts'
import { fieldsSchema } from './schema.ts'

/** Fields that belong together and travel as one object. */
export const group = <const F extends Fields>(
  fields: F,
  rule: (values: FieldValues<F>) => string | undefined = () => undefined,
): Field<FieldValues<F>, 'always', true> => ({
  kind: 'group',
  writable: 'always',
  required: true,
  fields,
  schema: fieldsSchema(fields).check(({ value, issues }) => {
    const wrong = rule(value as FieldValues<F>)
    if (wrong) issues.push({ code: 'custom', path: [wrong], input: value })
  }) as unknown as z.ZodType<FieldValues<F>>,
})
