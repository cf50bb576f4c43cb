import { type Field, type Resource, resources } from '@campanile/contract'
import { sql } from 'kysely'
import { boundTable, storedName } from '../kit/table.ts'
import type { Db } from '../platform/db.ts'
import type { Ids } from './declared-calls.ts'

interface Owner {
  readonly word: string
  readonly shop: number
}

const textKinds: readonly string[] = ['text', 'longText', 'mono']

/** A value for a column, as the declaration of its field would take it. */
const sampleOf = (field: Field, { word, shop }: Owner, ids: Ids): unknown => {
  if (field.place) return shop
  if (field.kind === 'ref' && field.target) return ids[field.target().name]
  if (field.options) return field.kind === 'choices' ? [field.options[0]] : field.options[0]
  if (textKinds.includes(field.kind)) return word
  if (field.kind === 'timestamp' || field.kind === 'date') return new Date()
  if (['number', 'money', 'decimal'].includes(field.kind)) return field.min ?? 1
  return field.kind === 'switch' ? true : undefined
}

/** Columns that no field declares and that cannot stay empty. */
const neededBeside = async (db: Db, table: string, names: readonly string[]) => {
  const { rows } = await sql<{ name: string }>`select column_name as name from information_schema.columns
    where table_schema = 'public' and table_name = ${table} and is_nullable = 'NO' and column_default is null
      and is_identity = 'NO' and not column_name = any(${names})`.execute(db)
  return rows.map(({ name }) => name)
}

/** Records, which people do not make: one row each of those that nobody has furnished by hand. */
export const furnishRecords = async (db: Db, owner: Owner, ids: Ids): Promise<Ids> => {
  const made: Record<string, number> = {}
  const rest = resources.filter(
    ({ name, perms, scope }) => scope === 'organisation' && perms.list && !perms.create && !(name in ids),
  )
  for (const resource of rest) made[resource.name] = await insertRecord(db, resource, owner, ids)
  return made
}

const insertRecord = async (db: Db, { name: resource, fields }: Resource, owner: Owner, ids: Ids) => {
  const { name: table } = boundTable(resource)
  const { rows: columns } = await sql<{ name: string }>`select column_name as name from information_schema.columns
    where table_schema = 'public' and table_name = ${table}`.execute(db)
  const stored = Object.entries(fields).filter(([name]) => columns.some((column) => column.name === storedName(name)))
  const values = new Map(
    stored.flatMap(([name, field]) => {
      const value = sampleOf(field, owner, ids)
      return value === undefined ? [] : [[storedName(name), value] as const]
    }),
  )
  for (const name of await neededBeside(db, table, [...values.keys()])) values.set(name, owner.word)
  const { rows } = await sql<{ id: number }>`insert into ${sql.table(table)}
    (${sql.join([...values.keys()].map((name) => sql.ref(name)))}) values (${sql.join([...values.values()])})
    returning id`.execute(db)
  return rows[0]?.id as number
}
