import { protocol } from '@campanile/contract'
import { type RawBuilder, type SqlBool, sql } from 'kysely'

const asked = /^\s*([^\s=!<>]+)\s*(?:(!=|<=|>=|=|<|>)\s*(.*?)\s*)?$/s
const signs = { '=': sql`=`, '!=': sql`<>`, '<': sql`<`, '<=': sql`<=`, '>': sql`>`, '>=': sql`>=` } as const

/**
 * `pressure` asks for devices that tell it, `pressure >= 2.5` for those whose latest one is at least that. Words and yes or no
 * (`true`, `false`) can be equal or not; a number is compared with numbers only. What cannot be read matches nothing.
 */
export const ownCondition = (text: string): RawBuilder<SqlBool> => {
  if (text.trim() === '') return sql`true`
  const [, name = '', sign, value = ''] = asked.exec(text) ?? []
  if (!protocol.ownName.test(name)) return sql`false`
  if (!sign) return sql`s.own ? ${name}::text`
  const compared = signs[sign as keyof typeof signs]
  const held = sql`s.own -> ${name}::text -> 'v'`
  const number = value === '' ? Number.NaN : Number(value)
  if (Number.isFinite(number))
    return sql`case when jsonb_typeof(${held}) = 'number' then (${held})::float8 ${compared} ${number}::float8 else false end`
  if (sign !== '=' && sign !== '!=') return sql`false`
  return sql`s.own -> ${name}::text ->> 'v' ${compared} ${value}`
}
