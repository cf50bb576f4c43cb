/** Writes the migration of a plain resource: `npm run table -- announcement`. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createTable } from '../apps/server/src/kit/create-table.ts'
import { storedName } from '../apps/server/src/kit/table.ts'
import { resources } from '../packages/contract/src/index.ts'

const folder = new URL('../apps/server/migrations/', import.meta.url)

const write = (name: string | undefined) => {
  const resource = resources.find((each) => each.name === name)
  if (!resource)
    throw new Error(
      `There is no resource called ${name}. A file that declares it is named by \`npm run test:unit -- resources -u\`.`,
    )
  const table = storedName(resource.name)
  const made = readdirSync(folder).filter((file) => /^\d{4}_.*\.sql$/.test(file))
  const holder = made.find((file) =>
    new RegExp(`^create table ${table} `, 'm').test(readFileSync(new URL(file, folder), 'utf8')),
  )
  if (holder)
    throw new Error(
      `${holder} makes the table ${table} already. While it has run nowhere, delete it and write it anew; ` +
        'afterwards a change is the next migration, written by hand (apps/server/migrations/README.md).',
    )
  const last = Math.max(0, ...made.map((file) => Number(file.slice(0, 4))))
  const file = `${String(last + 1).padStart(4, '0')}_${table}.sql`
  writeFileSync(new URL(file, folder), createTable(resource), { flag: 'wx' })
  return file
}

try {
  console.log(`Written: apps/server/migrations/${write(process.argv[2])}. Read it before it runs for the first time.`)
} catch (error) {
  console.error((error as Error).message)
  process.exitCode = 1
}
