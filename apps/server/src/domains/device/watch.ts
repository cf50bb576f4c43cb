import { serialMax, serialsInFilter } from '@campanile/contract'
import { sql } from 'kysely'
import { z } from 'zod'
import { type Scope, scopeFor } from '../../kit/actor.ts'
import type { Db } from '../../platform/db.ts'
import type { Member } from '../../platform/live.ts'
import type { Services } from '../../services.ts'
import { createActorOfSession } from '../identity/index.ts'
import type { Latest } from './latest.ts'

/** Often enough to look alive, seldom enough that a busy device is one line a look. */
const lookMs = 500
const asked = z.object({ type: z.literal('watch'), sns: z.array(z.string().max(serialMax)).max(serialsInFilter) })

interface Seen {
  id: number
  sn: string
  iotStatus: string
  values: Latest
  /** Columns of the device list that are the device's own word, or follow from what it did. */
  facts: Readonly<Record<string, string | number | boolean | null>>
}
interface Watcher {
  readonly ids: readonly number[]
  readonly say: (message: { type: string } & Record<string, unknown>) => void
}

const findVisible = async (db: Db, scope: Scope, sns: readonly string[]): Promise<number[]> => {
  const { rows } = await sql<{ id: number }>`select t.id from device t join department d on d.id = t.department_id
    where t.sn = any(${sns}) and (${scope.everything} or d.path <@ any(${scope.paths}::ltree[]))`.execute(db)
  return rows.map((row) => row.id)
}
const findSeen = async (db: Db, ids: readonly number[]): Promise<Seen[]> => {
  const { rows } = await sql<
    Omit<Seen, 'facts'> & Seen['facts']
  >`select t.id, t.sn, s.iot_status as "iotStatus", s.values,
      s.connected_at as "lastConnected", s.public_ip as ip, s.firmware_version as "firmwareVersion",
      s.system_version as "systemVersion", s.locked, t.model, t.activation_status as "activationStatus"
    from device_state s join device t on t.id = s.device_id where s.device_id = any(${ids})`.execute(db)
  return rows.map(({ id, sn, iotStatus, values, ...facts }) => ({ id, sn, iotStatus, values, facts }))
}

/** What is new since the last look; undefined when nothing is. */
const newsOf = (now: Seen, before: Seen) => {
  const values = Object.entries(now.values).filter(([name, value]) => {
    const held = before.values[name as keyof Latest]
    return held?.t !== value.t || held.v !== value.v
  })
  const moved = now.iotStatus !== before.iotStatus
  const facts = Object.entries(now.facts).filter(([name, value]) => before.facts[name] !== value)
  if (!moved && values.length === 0 && facts.length === 0) return undefined
  return {
    type: 'device',
    sn: now.sn,
    ...(moved && { iotStatus: now.iotStatus }),
    ...(facts.length > 0 && { facts: Object.fromEntries(facts) }),
    ...(values.length > 0 && {
      values: Object.fromEntries(
        values.map(([name, { v, t, r }]) => [name, { value: v, ts: t, ...(r && { received: true }) }]),
      ),
    }),
  }
}

/**
 * Devices on somebody's screen, told as they change. The database is asked about all that are watched here at once, so it
 * does not matter which process a device is connected to, and nobody watching costs nothing.
 */
export const mountWatch = ({ app, words, db, log, settings }: Services) => {
  const actorOf = createActorOfSession({ db, settings })
  const watchers = new Map<Member, Watcher>()
  const known = new Map<number, Seen>()
  let timer: NodeJS.Timeout | undefined
  let looking = false

  const look = async () => {
    const ids = new Set([...watchers.values()].flatMap((watcher) => watcher.ids))
    for (const id of known.keys()) if (!ids.has(id)) known.delete(id)
    if (ids.size === 0) return
    for (const now of await findSeen(db, [...ids])) {
      const before = known.get(now.id)
      known.set(now.id, now)
      const news = before && newsOf(now, before)
      if (!news) continue
      for (const { ids: theirs, say } of watchers.values()) if (theirs.includes(now.id)) say(news)
    }
  }
  const tick = async () => {
    if (looking) return
    looking = true
    await look().catch((err) => log.warn({ err }, 'watched devices could not be looked at'))
    looking = false
  }

  const watch = async (member: Member, sns: readonly string[], say: Watcher['say']) => {
    const actor = await actorOf(member.sessionHash)
    const scope = actor && scopeFor(actor, 'device:list:list')
    const ids = scope && sns.length > 0 ? await findVisible(db, scope, sns) : []
    if (ids.length === 0 || member.socket.readyState !== member.socket.OPEN) return watchers.delete(member)
    // As it is now, so that what changed between the list and this word is not missed.
    for (const now of await findSeen(db, ids)) {
      known.set(now.id, now)
      const nothing: Seen = { ...now, iotStatus: '', values: {}, facts: {} }
      say(newsOf(now, nothing) ?? { type: 'device', sn: now.sn })
    }
    watchers.set(member, { ids, say })
    return true
  }

  words.on('watch', (member, message, say) => {
    const parsed = asked.safeParse(message)
    if (!parsed.success) return
    if (!watchers.has(member)) member.socket.once('close', () => watchers.delete(member))
    watch(member, parsed.data.sns, say).catch((err) => log.warn({ err }, 'devices could not be watched'))
  })

  app.addHook('onReady', async () => {
    timer = setInterval(() => void tick(), lookMs)
  })
  app.addHook('onClose', async () => clearInterval(timer))
}
