import { releaseDetail, releaseLive } from '@campanile/contract'
import { sql } from 'kysely'
import { z } from 'zod'
import { covers, scopeFor } from '../../kit/actor.ts'
import type { Member } from '../../platform/live-messages.ts'
import { seldom } from '../../platform/seldom.ts'
import type { Services } from '../../services.ts'
import { createActorOfSession } from '../identity/index.ts'

/** Heard wherever something of a release has changed; its number is what is sent. */
export const releaseChannel = 'campanile_release'

/** Often enough to look alive, seldom enough for ten thousand devices that report at once. */
const tellMs = 1_000
const complainEveryMs = 60_000
const asked = z.object({ type: z.literal(releaseLive.watch), id: z.number().int().positive().nullable() })

interface Watcher {
  readonly member: Member
  readonly say: (message: { type: string } & Record<string, unknown>) => void
  readonly id: number
}

/**
 * Releases on somebody's screen: whoever watches one is told that it has changed, and fetches what they show. Whether they
 * may read it is asked each time.
 */
export const mountReleaseLive = ({ app, liveMessages, signals, db, log, settings }: Services) => {
  const actorOf = createActorOfSession({ db, settings })
  const watchers = new Map<Member, Watcher>()
  const changed = new Set<number>()
  const complain = seldom(complainEveryMs, (err: unknown, times: number) =>
    log.warn({ err, times }, 'watched releases could not be looked at'),
  )
  let timer: NodeJS.Timeout | undefined
  let telling = false

  const pathsOf = async (ids: readonly number[]) => {
    const { rows } = await sql<{ id: number; path: string }>`select r.id, d.path::text as path
      from release r join department d on d.id = r.department_id where r.id = any(${ids})`.execute(db)
    return new Map(rows.map(({ id, path }) => [id, path]))
  }

  const tell = async () => {
    const meant = [...watchers.values()].filter(({ id }) => changed.has(id))
    changed.clear()
    if (meant.length === 0) return
    const paths = await pathsOf([...new Set(meant.map(({ id }) => id))])
    for (const { member, say, id } of meant) {
      const actor = await actorOf(member.sessionHash)
      const scope = actor && scopeFor(actor, releaseDetail.perm)
      const path = paths.get(id)
      if (scope && path !== undefined && covers(scope, path)) say({ type: releaseLive.told, id })
    }
  }
  const tick = async () => {
    if (telling || changed.size === 0) return
    telling = true
    await tell().catch(complain)
    telling = false
  }

  signals.on(releaseChannel, (payload) => {
    if (watchers.size === 0) return
    if (payload === undefined) for (const { id } of watchers.values()) changed.add(id)
    else changed.add(Number(payload))
  })
  liveMessages.on(releaseLive.watch, (member, message, say) => {
    const { data } = asked.safeParse(message)
    if (!data) return
    if (!watchers.has(member)) member.socket.once('close', () => watchers.delete(member))
    if (data.id === null) watchers.delete(member)
    else watchers.set(member, { member, say, id: data.id })
  })
  app.addHook('onReady', async () => {
    timer = setInterval(() => void tick(), tellMs)
  })
  app.addHook('onClose', async () => clearInterval(timer))
}
