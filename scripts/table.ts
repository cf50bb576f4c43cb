/** Writes the migration of a plain resource: `npm run table -- announcement`. */
import { readdirSync, writeFileSync } from 'node:fs'
import { createTable } from '../apps/server/src/kit/create-table.ts'
import { resources } from '../packages/contract/src/index.ts'

const folder = new URL('../apps/server/migrations/', import.meta.url)

const write = (name: string | undefined) => {
  const resource = resources.find((each) => each.name === name)
  if (!resource) throw new Error(`There is no resource called ${name}. Is it declared, and named in resources.ts?`)
  const text = createTable(resource)
  const made = readdirSync(folder).filter((file) => /^\d{4}_.*\.sql$/.test(file))
  const file = `${String(made.length + 1).padStart(4, '0')}_${text.match(/^create table (\w+)/)?.[1]}.sql`
  writeFileSync(new URL(file, folder), text, { flag: 'wx' })
  return file
}

try {
  console.log(`Written: apps/server/migrations/${write(process.argv[2])}. Read it before it runs for the first time.`)
} catch (error) {
  console.error((error as Error).message)
  process.exitCode = 1
}
