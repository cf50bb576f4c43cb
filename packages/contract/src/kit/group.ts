import type { z } from 'zod'
import type { Broken } from './errors.ts'
import type { Field } from './field.ts'
import type { Fields, FieldValues } from './resource.ts'
import { fieldsSchema } from './schema.ts'

/** Fields that belong together and travel as one object. */
export const group = <const F extends Fields>(
  fields: F,
  rule: (values: FieldValues<F>) => Broken | undefined = () => undefined,
): Field<FieldValues<F>, 'always', true> => ({
  kind: 'group',
  writable: 'always',
  required: true,
  fields,
  schema: fieldsSchema(fields).check(({ value, issues }) => {
    const broken = rule(value as FieldValues<F>)
    if (!broken) return
    const { field, ...params } = broken
    issues.push({ code: 'custom', path: [field], input: value, params })
  }) as unknown as z.ZodType<FieldValues<F>>,
})
