import { serialMax, serialsInFilter } from '@campanile/contract'
import { z } from 'zod'
import { covers, type Scope, scopeFor } from '../../kit/actor.ts'
import type { Member } from '../../platform/live.ts'
import { seldom } from '../../platform/seldom.ts'
import type { Services } from '../../services.ts'
import { createActorOfSession } from '../identity/index.ts'
import { findSeen, newsOf, type Seen } from './watch.store.ts'

/** Often enough to look alive, seldom enough that a busy device is one line a look. */
const lookMs = 500
/** One line a minute says as much as one a look. */
const complainEveryMs = 60_000
const asked = z.object({ type: z.literal('watch'), sns: z.array(z.string().max(serialMax)).max(serialsInFilter) })

type Say = (message: { type: string } & Record<string, unknown>) => void

interface Watcher {
  readonly member: Member
  readonly say: Say
  /** The newest wish. */
  sns: readonly string[]
  /** A wish that was not looked at yet. */
  wanting: boolean
  /** A look for a wish is under way; it goes on with whatever is wished by then. */
  looking: boolean
  /** Devices whose whole state was told; of these only what changes is told. */
  readonly shown: Set<string>
}

/**
 * Devices on somebody's screen, told as they change. The database is asked about all that are watched here at once, so it
 * does not matter which process a device is connected to, and nobody watching costs nothing. Who may see what is asked
 * each time something is told: a device that was handed over, or a right that was taken away, is silent from then on.
 */
export const mountWatch = ({ app, words, db, log, settings }: Services) => {
  const actorOf = createActorOfSession({ db, settings })
  const watchers = new Map<Member, Watcher>()
  const known = new Map<string, Seen>()
  const complain = seldom(complainEveryMs, (err: unknown, times: number) =>
    log.warn({ err, times }, 'watched devices could not be looked at'),
  )
  let timer: NodeJS.Timeout | undefined
  let looking = false

  /** What the owner of a connection may see at this moment; null when nothing. */
  const reachOf = async ({ sessionHash }: Member): Promise<Scope | null> => {
    const actor = await actorOf(sessionHash)
    return actor && scopeFor(actor, 'device:list:list')
  }

  const tell = ({ shown, say }: Watcher, scope: Scope | null, now: Seen, before: Seen | undefined) => {
    if (!scope || !covers(scope, now.path)) return void shown.delete(now.sn)
    const isNew = !shown.has(now.sn)
    shown.add(now.sn)
    const news = newsOf(now, isNew ? undefined : before)
    if (news) say(news)
  }

  const look = async () => {
    const sns = new Set([...watchers.values()].flatMap((watcher) => watcher.sns))
    for (const sn of known.keys()) if (!sns.has(sn)) known.delete(sn)
    if (sns.size === 0) return
    const changed: { now: Seen; before: Seen }[] = []
    for (const now of await findSeen(db, [...sns])) {
      const before = known.get(now.sn)
      known.set(now.sn, now)
      if (before && newsOf(now, before)) changed.push({ now, before })
    }
    for (const watcher of [...watchers.values()]) {
      const theirs = changed.filter(({ now }) => watcher.sns.includes(now.sn))
      if (theirs.length === 0) continue
      const scope = await reachOf(watcher.member)
      for (const { now, before } of theirs) tell(watcher, scope, now, before)
    }
  }
  const tick = async () => {
    if (looking) return
    looking = true
    await look().catch(complain)
    looking = false
  }

  /** One look at a time for each connection: however often a wish changes meanwhile, only the newest is looked at next. */
  const follow = async (watcher: Watcher) => {
    if (watcher.looking) return
    watcher.looking = true
    while (watcher.wanting && watchers.has(watcher.member)) {
      watcher.wanting = false
      watcher.shown.clear()
      if (watcher.sns.length === 0) continue
      const scope = await reachOf(watcher.member)
      // As it is now, so that what changed between the list and this word is not missed.
      for (const now of scope ? await findSeen(db, watcher.sns) : []) {
        if (watcher.wanting) break
        if (!known.has(now.sn)) known.set(now.sn, now)
        tell(watcher, scope, now, undefined)
      }
    }
    watcher.looking = false
  }

  words.on('watch', (member, message, say) => {
    const parsed = asked.safeParse(message)
    if (!parsed.success) return
    let watcher = watchers.get(member)
    if (!watcher) {
      watcher = { member, say, sns: [], wanting: false, looking: false, shown: new Set() }
      watchers.set(member, watcher)
      member.socket.once('close', () => watchers.delete(member))
    }
    watcher.sns = parsed.data.sns
    watcher.wanting = true
    const mine = watcher
    follow(mine).catch((err) => {
      mine.looking = false
      complain(err)
    })
  })

  app.addHook('onReady', async () => {
    timer = setInterval(() => void tick(), lookMs)
  })
  app.addHook('onClose', async () => clearInterval(timer))
}
