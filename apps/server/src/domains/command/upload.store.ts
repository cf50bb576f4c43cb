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

/** False when somebody was faster, or the command has ended meanwhile. */
export const attachFile = async (db: Db, { id, attempt }: Which, fileId: number): Promise<boolean> =>
  (
    await sql`update command c set file_id = ${fileId}, update_time = now()
      where c.id = ${id} and c.attempt = ${attempt} and ${isOpen} returning id`.execute(db)
  ).rows.length > 0
