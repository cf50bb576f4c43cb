import { sql } from 'kysely'
import type { Actor } from '../../kit/actor.ts'
import type { Services } from '../../services.ts'
import { isWithinValidity } from './account.ts'
import { grantsOf } from './authenticate.ts'
import { findPlace } from './place.store.ts'
import { findSession, person, type SessionRow } from './session.store.ts'

type PersonRow = Omit<SessionRow, 'originHash' | 'signedInAt' | 'lastSeen' | 'ended' | 'operating'>
const noSession = Buffer.alloc(0)

/** Somebody as they are now, for work that goes on after their request; null when they may no longer act. */
export const createActorOf =
  ({ db, clock, settings }: Pick<Services, 'db' | 'clock' | 'settings'>) =>
  async (userId: number, operatingDepartmentId: number | null): Promise<Actor | null> => {
    const { rows } = await sql<PersonRow>`select ${person} from sys_user u join department d on d.id = u.department_id
      where u.id = ${userId}`.execute(db)
    const row = rows[0]
    if (!row || row.disabled || !isWithinValidity(row, clock.now())) return null
    const operating = operatingDepartmentId === null ? null : await findPlace(db, operatingDepartmentId)
    // The organisation they had entered is gone, and with it what they wanted there.
    if (operating === undefined) return null
    return {
      id: row.id,
      username: row.username,
      realName: row.realName,
      type: row.type,
      department: row.department,
      grants: grantsOf(row, await settings.all()),
      operating,
      sessionHash: noSession,
      originHash: noSession,
      passwordExpired: false,
    }
  }

/** Whoever a session belongs to, in the organisation it has entered; null when it is over. */
export const createActorOfSession =
  ({ db, settings }: Pick<Services, 'db' | 'settings'>) =>
  async (sessionHash: Buffer): Promise<Actor | null> => {
    const row = await findSession(db, sessionHash)
    if (!row || row.ended || row.disabled) return null
    const { id, username, realName, type, department, operating, originHash } = row
    const grants = grantsOf(row, await settings.all())
    return {
      id,
      username,
      realName,
      type,
      department,
      grants,
      operating,
      sessionHash,
      originHash,
      passwordExpired: false,
    }
  }
