import { z } from 'zod'
import {
  choice,
  choices,
  type Field,
  type Fields,
  lines,
  optional,
  type Resource,
  startingWith,
  text,
  toggle,
} from '../kit/index.ts'
import { type CommandName, type CommandSpec, commands } from './commands.ts'

const plain = (schema: z.ZodType): z.ZodType =>
  schema instanceof z.ZodOptional || schema instanceof z.ZodDefault ? plain(schema.unwrap() as z.ZodType) : schema

const made = (schema: z.ZodType): Field => {
  if (schema instanceof z.ZodEnum) return choice(schema.options as [string, ...string[]])
  if (schema instanceof z.ZodBoolean) return toggle()
  if (schema instanceof z.ZodArray && schema.element instanceof z.ZodNumber) {
    const { minValue, maxValue } = schema.element
    const values = Array.from({ length: Number(maxValue) - Number(minValue) + 1 }, (_, at) => Number(minValue) + at)
    return choices(values as [number, ...number[]])
  }
  if (schema instanceof z.ZodArray) return { ...lines(), schema }
  if (schema instanceof z.ZodString || schema instanceof z.ZodURL)
    return { ...text(schema.maxLength ?? undefined), schema }
  throw new Error('an argument nobody can enter')
}

const entered = (schema: z.ZodType, { when }: CommandSpec, name: string): Field => {
  const field = { ...made(plain(schema)), ...(when?.[name] && { when: when[name] }) }
  if (schema instanceof z.ZodDefault) return startingWith(schema.def.defaultValue, field)
  return schema instanceof z.ZodOptional && !field.when ? optional(field) : field
}

/** How the arguments of a command are entered: a form like any other, made from their rules. */
export const commandForm = (name: CommandName): Resource => {
  const spec: CommandSpec = commands[name]
  const shape = spec.args instanceof z.ZodObject ? (spec.args.shape as Record<string, z.ZodType>) : {}
  const fields: Fields = Object.fromEntries(
    Object.entries(shape).map(([arg, schema]) => [arg, entered(schema, spec, arg)]),
  )
  return {
    name: 'command',
    wire: { path: '', listKey: 'rows', idsKey: 'ids', pageSize: 10 },
    fields,
    identity: 'id',
    list: { columns: [], filters: [], sort: 'id' },
    form: { args: Object.keys(fields) },
    perms: {},
    scope: 'public',
    actions: {},
    personal: false,
  }
}
