import { z } from 'zod'
import {
  type Condition,
  choice,
  choices,
  type Field,
  lines,
  number,
  optional,
  startingWith,
  text,
  toggle,
} from './field.ts'
import type { Fields, Resource } from './resource.ts'

const plain = (schema: z.ZodType): z.ZodType =>
  schema instanceof z.ZodOptional || schema instanceof z.ZodDefault ? plain(schema.unwrap() as z.ZodType) : schema

const made = (schema: z.ZodType): Field => {
  if (schema instanceof z.ZodEnum) return choice(schema.options as [string, ...string[]])
  if (schema instanceof z.ZodBoolean) return toggle()
  if (schema instanceof z.ZodNumber) return number(Number(schema.minValue), Number(schema.maxValue))
  if (schema instanceof z.ZodArray && schema.element instanceof z.ZodNumber) {
    const { minValue, maxValue } = schema.element
    const values = Array.from({ length: Number(maxValue) - Number(minValue) + 1 }, (_, at) => Number(minValue) + at)
    return choices(values as [number, ...number[]])
  }
  if (schema instanceof z.ZodArray) return { ...lines(), schema }
  if (schema instanceof z.ZodString || schema instanceof z.ZodURL)
    return { ...text(schema.maxLength ?? undefined), schema }
  throw new Error('a value nobody can enter')
}

const entered = (schema: z.ZodType, when: Condition | undefined): Field => {
  const field = { ...made(plain(schema)), ...(when && { when }) }
  if (schema instanceof z.ZodDefault) return optional(startingWith(schema.def.defaultValue, field))
  return schema instanceof z.ZodOptional && !when ? optional(field) : field
}

/** A form like any other, made from the rules of what is sent. It has no rows and no routes: only fields and labels. */
export const formOf = (name: string, schema: z.ZodType, when: Readonly<Record<string, Condition>> = {}): Resource => {
  const shape = schema instanceof z.ZodObject ? (schema.shape as Record<string, z.ZodType>) : {}
  const fields: Fields = Object.fromEntries(
    Object.entries(shape).map(([key, value]) => [key, entered(value, when[key])]),
  )
  return {
    name,
    wire: { path: '', listKey: 'rows', idsKey: 'ids', pageSize: 10 },
    fields,
    identity: 'id',
    list: { columns: [], filters: [], sort: 'id' },
    form: { all: Object.keys(fields) },
    perms: {},
    scope: 'public',
    actions: {},
    personal: false,
  }
}
