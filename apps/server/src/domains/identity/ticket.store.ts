import { sql } from 'kysely'
import type { Db } from '../../platform/db.ts'

export type TicketKind = 'twoFactor' | 'scan' | 'scanCode' | 'live' | 'sms' | 'mobile' | 'nonce' | 'external'

export interface Ticket {
  readonly userId: number | null
  readonly sessionHash: Buffer | null
  readonly data: Record<string, unknown>
  readonly attempts: number
}

export interface NewTicket {
  readonly kind: TicketKind
  readonly hash: Buffer
  readonly expiresAt: Date
  readonly userId?: number
  readonly sessionHash?: Buffer
  readonly data?: Record<string, unknown>
}

/** False when there is one already: how a message that may come once is told from its repetition. */
export const insertTicket = async (db: Db, ticket: NewTicket): Promise<boolean> => {
  const inserted = await sql`insert into login_ticket (ticket_hash, kind, user_id, session_hash, data, expires_at)
    values (${ticket.hash}, ${ticket.kind}, ${ticket.userId ?? null}, ${ticket.sessionHash ?? null},
      ${JSON.stringify(ticket.data ?? {})}, ${ticket.expiresAt})
    on conflict (ticket_hash) do nothing returning 1`.execute(db)
  return inserted.rows.length === 1
}

const columns = sql`user_id as "userId", session_hash as "sessionHash", data, attempts`

/** Spends it: of many who try at once, one gets it. */
export const takeTicket = async (db: Db, kind: TicketKind, hash: Buffer, now: Date): Promise<Ticket | undefined> => {
  const taken = await sql<Ticket & { fresh: boolean }>`delete from login_ticket
    where ticket_hash = ${hash} and kind = ${kind} returning ${columns}, expires_at > ${now} as fresh`.execute(db)
  return taken.rows[0]?.fresh ? taken.rows[0] : undefined
}

export const findTicket = async (db: Db, kind: TicketKind, hash: Buffer, now: Date): Promise<Ticket | undefined> => {
  const found = await sql<Ticket>`select ${columns} from login_ticket
    where ticket_hash = ${hash} and kind = ${kind} and expires_at > ${now}`.execute(db)
  return found.rows[0]
}

/** Counts a try, so that its owner's own mistakes are told from those of others; undefined when the ticket is gone or over. */
export const tryTicket = async (db: Db, kind: TicketKind, hash: Buffer, now: Date): Promise<Ticket | undefined> => {
  const tried = await sql<Ticket>`update login_ticket set attempts = attempts + 1
    where ticket_hash = ${hash} and kind = ${kind} and expires_at > ${now} returning ${columns}`.execute(db)
  return tried.rows[0]
}

export const removeTicket = async (db: Db, hash: Buffer): Promise<boolean> => {
  const removed = await sql`delete from login_ticket where ticket_hash = ${hash} returning 1`.execute(db)
  return removed.rows.length === 1
}

/** A scan ticket is confirmed by somebody who is signed in already, and ends with their session. */
export const assignTicket = async (
  db: Db,
  kind: TicketKind,
  hash: Buffer,
  owner: { readonly userId: number; readonly sessionHash: Buffer },
  now: Date,
): Promise<boolean> => {
  const assigned = await sql`update login_ticket set user_id = ${owner.userId}, session_hash = ${owner.sessionHash}
    where ticket_hash = ${hash} and kind = ${kind} and user_id is null and expires_at > ${now} returning 1`.execute(db)
  return assigned.rows.length === 1
}

export const sweepTickets = async (db: Db, now: Date): Promise<void> => {
  await sql`delete from login_ticket where expires_at <= ${now}`.execute(db)
}
