import { createHmac, timingSafeEqual } from 'node:crypto'
import { open, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { catchUpLog } from '../../platform/audit.ts'
import type { Db } from '../../platform/db.ts'
import type { Services } from '../../services.ts'

/** Where the operation log stood at some moment, noted outside the database. */
export interface Head {
  readonly at: string
  readonly id: number
  readonly hash: string
}

const fileName = 'audit-heads.log'
const hourMs = 3_600_000

const pathOf = (dataDir: string) => join(dataDir, fileName)

const readText = (dataDir: string): Promise<string> =>
  readFile(pathOf(dataDir), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return ''
    throw error
  })

const linesOf = (text: string) => text.split('\n').filter(Boolean)
const markOf = (line: string | undefined) => line?.split(' ')[3] ?? ''
/** Each line vouches for the one before it, so none can be taken out of the middle. */
const sign = (key: Buffer, previous: string, { at, id, hash }: Head) =>
  createHmac('sha256', key).update(`${previous} ${at} ${id} ${hash}`).digest('hex')

const parse = (line: string): Head & { mark: string } => {
  const [at = '', id = '', hash = '', mark = ''] = line.split(' ')
  return { at, id: Number(id), hash, mark }
}

const sameText = (a: string, b: string) => a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b))

/** The notes, and the number of the first line that nobody with the key has written. */
export const readHeads = async (dataDir: string, key: Buffer): Promise<{ heads: Head[]; forgedLine?: number }> => {
  const heads: Head[] = []
  let previous = ''
  for (const [index, line] of linesOf(await readText(dataDir)).entries()) {
    const { mark, ...head } = parse(line)
    if (!sameText(mark, sign(key, previous, head))) return { heads, forgedLine: index + 1 }
    heads.push(head)
    previous = mark
  }
  return { heads }
}

/** Notes where the log stands now, unless it still stands where it stood. */
export const noteHead = async (db: Db, dataDir: string, key: Buffer): Promise<void> => {
  await catchUpLog(db)
  const { rows } = await sql<{
    id: number
    hash: string
  }>`select id, encode(hash, 'hex') as hash from op_log_head`.execute(db)
  const current = rows[0]
  const last = linesOf(await readText(dataDir)).at(-1)
  if (!current || current.id === 0 || (last && parse(last).id === current.id)) return
  const head = { at: new Date().toISOString(), ...current }
  const file = await open(pathOf(dataDir), 'a', 0o600)
  try {
    await file.appendFile(`${head.at} ${head.id} ${head.hash} ${sign(key, markOf(last), head)}\n`)
    await file.sync()
  } finally {
    await file.close()
  }
}

/** Every hour and when the server stops: whoever rewrites the database must also rewrite a file they may not reach. */
export const keepHeads = ({ app, db, jobs, config, secrets, log }: Services) => {
  const note = () => noteHead(db, config.dataDir, secrets.signingKey)
  jobs.every('noting where the operation log stands', hourMs, note)
  app.addHook('onClose', () =>
    note().catch((err) => log.error({ err }, 'where the operation log stands was not noted')),
  )
}
