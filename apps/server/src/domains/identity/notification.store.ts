import { sql } from 'kysely'
import type { Db } from '../../platform/db.ts'

export interface NewNotification {
  readonly userId: number
  readonly type: 'export' | 'import' | 'task' | 'alert' | 'announcement'
  /** Key of its text; people read it in their language of the day. */
  readonly title: string
  readonly data?: Readonly<Record<string, unknown>>
  readonly link?: string
}

export const notify = async (db: Db, notification: NewNotification): Promise<void> => {
  await sql`insert into notification (user_id, type, title, data, link) values (${notification.userId}, ${notification.type},
    ${notification.title}, ${JSON.stringify(notification.data ?? {})}, ${notification.link ?? null})`.execute(db)
}
