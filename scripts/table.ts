/**
 * Writes the migration of a plain resource: `npm run table -- announcement`. A table that grows without end is divided by
 * time: `npm run table -- doorPassage --records month`, by another field than `createTime`: `--records month:passTime`.
 * With `--print` it is shown and not written.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { createTable, type Divided } from '../apps/server/src/kit/create-table.ts'
import { storedName } from '../apps/server/src/kit/table.ts'
import { type Resource, resources } from '../packages/contract/src/index.ts'

const folder = new URL('../apps/server/migrations/', import.meta.url)

/** The present minute, or the one after the newest file, which must have run before. */
export const nextName = (made: readonly string[], what: string, now: Date): string => {
  const stamp = (time: Date) => time.toISOString().replace(/\D/g, '').slice(0, 12)
  const newest = made.map((file) => /^\d{12}(?=_)/.exec(file)?.[0] ?? '').reduce((a, b) => (a > b ? a : b), '')
  const after = (text: string) =>
    new Date(Date.parse(text.replace(/^(\d{4})(..)(..)(..)(..)$/, '$1-$2-$3T$4:$5:00Z')) + 60_000)
  const present = stamp(now)
  return `${present > newest ? present : stamp(after(newest))}_${what}.sql`
}

const dividedBy = (resource: Resource, text: string): Divided => {
  const [by, time] = text.split(':')
  const isTime = time === undefined || ['timestamp', 'date'].includes(resource.fields[time]?.kind ?? '')
  if ((by !== 'day' && by !== 'month') || !isTime)
    throw new Error(
      'Records are divided by day or month, of createTime or of a time that is named: --records month:passTime',
    )
  return { by, ...(time && { time }) }
}

const found = (name: string | undefined): Resource => {
  const resource = resources.find((each) => each.name === name)
  if (resource) return resource
  throw new Error(
    `There is no resource called ${name}. A file that declares it is named by \`npm run test:unit -- resources -u\`.`,
  )
}

const textOf = async (resource: Resource, records: string | undefined) => {
  const divided = records === undefined ? undefined : dividedBy(resource, records)
  // The rooms bind their tables, which references name.
  await import('../apps/server/src/rooms.ts')
  return createTable(resource, divided)
}

const write = async (resource: Resource, records: string | undefined) => {
  const table = storedName(resource.name)
  const made = readdirSync(folder).filter((file) => /^\d+_.*\.sql$/.test(file))
  const holder = made.find((file) =>
    new RegExp(`^create table ${table} `, 'm').test(readFileSync(new URL(file, folder), 'utf8')),
  )
  if (holder)
    throw new Error(
      `${holder} makes the table ${table} already. While it has run nowhere, delete it and write it anew; ` +
        'afterwards a change is the next migration, written by hand (apps/server/migrations/README.md).',
    )
  const file = nextName(made, table, new Date())
  writeFileSync(new URL(file, folder), await textOf(resource, records), { flag: 'wx' })
  return file
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  try {
    const options = { records: { type: 'string' }, print: { type: 'boolean' } } as const
    const { positionals, values } = parseArgs({ allowPositionals: true, options })
    const resource = found(positionals[0])
    if (values.print) process.stdout.write(await textOf(resource, values.records))
    else {
      const file = await write(resource, values.records)
      console.log(`Written: apps/server/migrations/${file}. Read it before it runs for the first time.`)
    }
  } catch (error) {
    console.error((error as Error).message)
    process.exitCode = 1
  }
