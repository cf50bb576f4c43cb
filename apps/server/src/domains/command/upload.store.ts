import { type CommandName, commandMachine } from '@campanile/contract'
import { sql } from 'kysely'
import type { Db } from '../../platform/db.ts'

/** A command that a file may still come for. */
export interface Awaiting {
  readonly sn: string
  readonly command: CommandName
  readonly departmentId: number
  readonly creatorId: number | null
  /** Under way, in time, and without a file. */
  readonly open: boolean
}
interface Kept {
  readonly size: number
  readonly sha256: Buffer
}
export interface Which {
  readonly id: number
  readonly attempt: number
}

const isOpen = sql`c.state = any(${commandMachine.from('succeed')}) and c.expires > now() and c.file_id is null`

export const findAwaiting = async (db: Db, { id, attempt }: Which): Promise<Awaiting | undefined> =>
  (
    await sql<Awaiting>`select c.sn, c.command, c.department_id as "departmentId", k.creator_id as "creatorId",
        ${isOpen} as open
      from command c join device_task k on k.id = c.task_id where c.id = ${id} and c.attempt = ${attempt}`.execute(db)
  ).rows[0]

/** What has come for it before. */
export const findKept = async (db: Db, { id, attempt }: Which): Promise<Kept | undefined> =>
  (
    await sql<Kept>`select f.size, f.sha256 from command c join export_file f on f.id = c.file_id
      where c.id = ${id} and c.attempt = ${attempt}`.execute(db)
  ).rows[0]

/** Answers whether a file may still be attached, and keeps whoever else would attach or answer waiting until it is. */
export const lockAwaiting = async (db: Db, { id, attempt }: Which): Promise<boolean> =>
  (
    await sql<{ open: boolean }>`select ${isOpen} as open from command c
      where c.id = ${id} and c.attempt = ${attempt} for update`.execute(db)
  ).rows[0]?.open ?? false

export const attachFile = (db: Db, { id }: Which, fileId: number) =>
  sql`update command set file_id = ${fileId}, update_time = now() where id = ${id}`.execute(db)
