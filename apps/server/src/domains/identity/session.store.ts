import { sql } from 'kysely'
import type { Place } from '../../kit/actor.ts'
import type { Db } from '../../platform/db.ts'

export interface NewSession {
  readonly tokenHash: Buffer
  readonly userId: number
  readonly originHash: Buffer | null
  readonly operatingDepartmentId: number | null
  readonly ip: string
  readonly userAgent: string
  readonly signedInAt: Date
  readonly now: Date
}

export const insertSession = async (db: Db, session: NewSession): Promise<void> => {
  await sql`insert into session (token_hash, user_id, origin_hash, operating_department_id, ip, user_agent, signed_in_at, last_seen)
    values (${session.tokenHash}, ${session.userId}, ${session.originHash}, ${session.operatingDepartmentId}, ${session.ip},
      ${session.userAgent.slice(0, 512)}, ${session.signedInAt}, ${session.now})`.execute(db)
}

/** A session with everything that decides about it and about what its owner may do. */
export interface SessionRow {
  readonly originHash: Buffer
  readonly signedInAt: string
  readonly lastSeen: string
  readonly ended: boolean
  readonly id: number
  readonly username: string
  readonly realName: string
  readonly type: number
  readonly disabled: boolean
  readonly whitelistIp: string[]
  readonly validStart: string | null
  readonly validEnd: string | null
  readonly passwordChangedAt: string
  readonly department: Place & { readonly root: boolean }
  readonly operating: Place | null
  readonly roles: readonly { readonly permissions: string[]; readonly paths: string[] }[]
  /** What a super administrator of an enterprise holds; null for everybody else. */
  readonly owned: string[] | null
}

/** A person `u` of department `d`, with what each of their roles lets them do and where. */
export const person = sql`u.id, u.username, u.real_name as "realName", u.type, u.disabled, u.whitelist_ip as "whitelistIp",
  u.valid_start as "validStart", u.valid_end as "validEnd", u.password_changed_at as "passwordChangedAt",
  json_build_object('id', d.id, 'name', d.name, 'type', d.type, 'path', d.path::text, 'root', d.parent_id is null) as department,
  (select coalesce(json_agg(json_build_object(
      'permissions', array(select distinct m.perms from role_menu rm join menu m on m.id = rm.menu_id
        where rm.role_id = ur.role_id and m.perms is not null),
      'paths', array(select at.path::text from role_department rd join department at on at.id = rd.department_id
        where rd.role_id = ur.role_id))), '[]')
    from user_role ur where ur.user_id = u.id) as roles,
  case when u.type = 0 and d.parent_id is not null then
    array(select distinct m.perms from menu m where m.perms is not null and not m.platform) end as owned`

/** One round trip a request; not cached, so a change of any of it holds from the next call on. */
export const findSession = async (db: Db, tokenHash: Buffer): Promise<SessionRow | undefined> => {
  const found = await sql<SessionRow>`
    select coalesce(s.origin_hash, s.token_hash) as "originHash", s.signed_in_at as "signedInAt", s.last_seen as "lastSeen",
      s.ended_at is not null or origin.ended_at is not null as ended,
      ${person}, case when o.id is not null then json_build_object('id', o.id, 'name', o.name, 'type', o.type, 'path', o.path::text) end as operating
    from session s
    join sys_user u on u.id = s.user_id
    join department d on d.id = u.department_id
    left join session origin on origin.token_hash = s.origin_hash
    left join department o on o.id = s.operating_department_id
    where s.token_hash = ${tokenHash}`.execute(db)
  return found.rows[0]
}

/** An organisation entered keeps the session it came from alive. */
export const touchSession = async (db: Db, tokenHash: Buffer, originHash: Buffer, now: Date): Promise<void> => {
  await sql`update session set last_seen = ${now} where token_hash in (${tokenHash}, ${originHash}) and ended_at is null`.execute(
    db,
  )
}

/** The session and every organisation entered from it. */
export const endSession = async (db: Db, originHash: Buffer, now: Date): Promise<void> => {
  await sql`update session set ended_at = ${now}
    where (token_hash = ${originHash} or origin_hash = ${originHash}) and ended_at is null`.execute(db)
}

export const endSessionsOf = async (db: Db, userIds: readonly number[], now: Date): Promise<void> => {
  await sql`update session set ended_at = ${now} where user_id = any(${userIds}) and ended_at is null`.execute(db)
}

export const endOtherSessions = async (db: Db, userId: number, originHash: Buffer, now: Date): Promise<void> => {
  await sql`update session set ended_at = ${now} where user_id = ${userId} and ended_at is null
    and token_hash <> ${originHash} and origin_hash is distinct from ${originHash}`.execute(db)
}

type Conditions = Pick<
  SessionRow,
  'ended' | 'lastSeen' | 'signedInAt' | 'disabled' | 'validStart' | 'validEnd' | 'whitelistIp'
> & { readonly tokenHash: Buffer }

/** What decides whether sessions are still open, of many at once. */
export const findConditions = async (db: Db, tokenHashes: readonly Buffer[]): Promise<Conditions[]> => {
  const found = await sql<Conditions>`
    select s.token_hash as "tokenHash", s.ended_at is not null or origin.ended_at is not null as ended,
      s.last_seen as "lastSeen", s.signed_in_at as "signedInAt", u.disabled, u.valid_start as "validStart",
      u.valid_end as "validEnd", u.whitelist_ip as "whitelistIp"
    from session s join sys_user u on u.id = s.user_id left join session origin on origin.token_hash = s.origin_hash
    where s.token_hash = any(${tokenHashes}::bytea[])`.execute(db)
  return found.rows
}

/** Expired ones and the tombstones of those that ended: after a day nobody asks for them any more. */
export const sweepSessions = async (
  db: Db,
  before: { readonly idle: Date; readonly absolute: Date; readonly ended: Date },
) => {
  await sql`delete from session where ended_at < ${before.ended} or last_seen < ${before.idle} or signed_in_at < ${before.absolute}`.execute(
    db,
  )
}
