import { sql } from 'kysely'
import type { Place } from '../../kit/actor.ts'
import type { Db } from '../../platform/db.ts'
import { plannedOnce } from '../../platform/planned-once.ts'

export interface NewSession {
  readonly tokenHash: Buffer
  readonly userId: number
  /** The session it was made from and ends with. */
  readonly originHash: Buffer | null
  readonly operatingDepartmentId: number | null
  /** Let in by scanning: a browser of its own, which may leave alone. */
  readonly scanned: boolean
  readonly ip: string
  readonly userAgent: string
  readonly signedInAt: Date
  readonly now: Date
}

export const insertSession = async (db: Db, session: NewSession): Promise<void> => {
  await sql`insert into session (token_hash, user_id, origin_hash, operating_department_id, scanned, ip, user_agent,
      signed_in_at, last_seen)
    values (${session.tokenHash}, ${session.userId}, ${session.originHash}, ${session.operatingDepartmentId},
      ${session.scanned}, ${session.ip}, ${session.userAgent.slice(0, 512)}, ${session.signedInAt}, ${session.now})`.execute(
    db,
  )
}

/** A session with everything that decides about it and about what its owner may do. */
export interface SessionRow {
  /** The session this browser signed in with: itself, or the one an organisation was entered from. */
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

/**
 * A session `s` with the ones it came from. There are no more than two: whoever entered an organisation enters no other
 * from there, and whoever was let in by scanning lets nobody in.
 */
const ancestors = sql`left join session origin on origin.token_hash = s.origin_hash
  left join session first on first.token_hash = origin.origin_hash`
/** Asked of all of them, so that it holds for one that was made in the moment the others ended. */
const ended = sql`(s.ended_at is not null or origin.ended_at is not null or first.ended_at is not null)`

/** One round trip a request; not cached, so a change of any of it holds from the next call on. */
export const findSession = async (db: Db, tokenHash: Buffer): Promise<SessionRow | undefined> => {
  const found = await sql<SessionRow>`${plannedOnce}
    select case when s.scanned or s.origin_hash is null then s.token_hash else s.origin_hash end as "originHash",
      s.signed_in_at as "signedInAt", s.last_seen as "lastSeen", ${ended} as ended,
      ${person}, case when o.id is not null then json_build_object('id', o.id, 'name', o.name, 'type', o.type, 'path', o.path::text) end as operating
    from session s
    join sys_user u on u.id = s.user_id
    join department d on d.id = u.department_id
    ${ancestors}
    left join department o on o.id = s.operating_department_id
    where s.token_hash = ${tokenHash}`.execute(db)
  return found.rows[0]
}

export interface Origin {
  readonly signedInAt: string
  readonly operatingDepartmentId: number | null
  /** Itself or the one it came from was let in by scanning. */
  readonly scanned: boolean
}

/** What a session hands on to one that is made from it; undefined when it is over. It cannot end before the caller is done. */
export const lockOrigin = async (db: Db, tokenHash: Buffer): Promise<Origin | undefined> => {
  const found = await sql<Origin>`select s.signed_in_at as "signedInAt",
      s.operating_department_id as "operatingDepartmentId", s.scanned or coalesce(origin.scanned, false) as scanned
    from session s ${ancestors} where s.token_hash = ${tokenHash} and not ${ended} for no key update of s`.execute(db)
  return found.rows[0]
}

/** A session and those it came from: using it keeps them alive, so that none of them is over before it. */
const upwards = (tokenHash: Buffer) => sql`with recursive line as (
    select token_hash, origin_hash from session where token_hash = ${tokenHash}
    union all select s.token_hash, s.origin_hash from session s join line on s.token_hash = line.origin_hash)`

/** "Was here" is not worth waiting for: a row somebody else is writing is passed over, and written by the next call. */
export const touchSession = async (db: Db, tokenHash: Buffer, now: Date): Promise<void> => {
  await sql`${upwards(tokenHash)}, free as (
      select token_hash from session where token_hash in (select token_hash from line) and ended_at is null
      for no key update skip locked)
    update session set last_seen = greatest(last_seen, ${now}) where token_hash in (select token_hash from free)`.execute(
    db,
  )
}

/** A session and every one made from it, directly or not. */
const downwards = (tokenHash: Buffer) => sql`with recursive tree as (
    select token_hash from session where token_hash = ${tokenHash}
    union all select s.token_hash from session s join tree on s.origin_hash = tree.token_hash)`

/** The session, every one made from it, and every ticket they have asked for. */
export const endSession = async (db: Db, tokenHash: Buffer, now: Date): Promise<void> => {
  await sql`${downwards(tokenHash)} update session set ended_at = ${now}
    where token_hash in (select token_hash from tree) and ended_at is null`.execute(db)
  await sql`${downwards(tokenHash)} delete from login_ticket
    where session_hash in (select token_hash from tree)`.execute(db)
}

/** Every session of these people, and every ticket that would lead to another: a second step, a scan, a message code. */
export const endSessionsOf = async (db: Db, userIds: readonly number[], now: Date): Promise<void> => {
  await sql`update session set ended_at = ${now} where user_id = any(${userIds}) and ended_at is null`.execute(db)
  await sql`delete from login_ticket where user_id = any(${userIds})`.execute(db)
}

/** All but this one, those it came from and those made from it. */
export const endOtherSessions = async (db: Db, userId: number, originHash: Buffer, now: Date): Promise<void> => {
  const kept = sql`with recursive tree as (
      select token_hash from session where token_hash = ${originHash}
      union all select s.token_hash from session s join tree on s.origin_hash = tree.token_hash),
    line as (
      select token_hash, origin_hash from session where token_hash = ${originHash}
      union all select s.token_hash, s.origin_hash from session s join line on s.token_hash = line.origin_hash),
    kept as (select token_hash from tree union select token_hash from line)`
  await sql`${kept} update session set ended_at = ${now}
    where user_id = ${userId} and ended_at is null and token_hash not in (select token_hash from kept)`.execute(db)
  await sql`${kept} delete from login_ticket where user_id = ${userId}
    and (session_hash is null or session_hash not in (select token_hash from kept))`.execute(db)
}

/** Names a session without telling what its token hashes to. */
const nameOf = sql`left(encode(sha256(s.token_hash), 'hex'), 32)`
export interface Browser {
  readonly tokenHash: Buffer
  readonly id: string
  readonly ip: string
  readonly userAgent: string
  readonly signedInAt: string
  readonly lastSeen: string
}

/** What somebody is signed in with, one line a browser: entering an organisation makes no other. */
export const findBrowsers = async (db: Db, userId: number): Promise<Browser[]> => {
  const found =
    await sql<Browser>`select s.token_hash as "tokenHash", ${nameOf} as id, s.ip, s.user_agent as "userAgent",
      s.signed_in_at as "signedInAt", s.last_seen as "lastSeen"
    from session s ${ancestors}
    where s.user_id = ${userId} and (s.origin_hash is null or s.scanned) and not ${ended}
    order by s.last_seen desc`.execute(db)
  return found.rows
}

type Conditions = Pick<
  SessionRow,
  'ended' | 'lastSeen' | 'signedInAt' | 'disabled' | 'validStart' | 'validEnd' | 'whitelistIp'
> & { readonly tokenHash: Buffer }

/** What decides whether sessions are still open, of many at once. */
export const findConditions = async (db: Db, tokenHashes: readonly Buffer[]): Promise<Conditions[]> => {
  const found = await sql<Conditions>`
    select s.token_hash as "tokenHash", ${ended} as ended,
      s.last_seen as "lastSeen", s.signed_in_at as "signedInAt", u.disabled, u.valid_start as "validStart",
      u.valid_end as "validEnd", u.whitelist_ip as "whitelistIp"
    from session s join sys_user u on u.id = s.user_id ${ancestors}
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
