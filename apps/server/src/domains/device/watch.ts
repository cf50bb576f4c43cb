import { device, deviceDetail, robot, selfService, serialMax, serialsInFilter, videoPhone } from '@campanile/contract'
import { z } from 'zod'
import { type Actor, covers, type Scope, scopeFor } from '../../kit/actor.ts'
import type { Member } from '../../platform/live-messages.ts'
import { seldom } from '../../platform/seldom.ts'
import type { Services } from '../../services.ts'
import { createActorOfSession } from '../identity/index.ts'
import { findSeen, newsOf, type Seen } from './watch.store.ts'

/** Often enough to look alive, seldom enough that a busy device is one line a look. */
const lookMs = 500
/** One line a minute says as much as one a look. */
const complainEveryMs = 60_000
const serials = z.array(z.string().max(serialMax))
/** `open`: those of them whose page is open, where values by the device's own names are shown. */
const openMax = 10
const asked = z.object({
  type: z.literal('watch'),
  sns: serials.max(serialsInFilter),
  open: serials.max(openMax).default([]),
})

type Say = (message: { type: string } & Record<string, unknown>) => void

interface Reach {
  readonly list: Scope | null
  readonly page: Scope | null
  /** The values that stand in the lists they may open. */
  readonly listed: ReadonlySet<string>
}

const lists = [device, robot, selfService, videoPhone]
const listedFor = (actor: Actor | null) => {
  const open = lists.filter(({ perms }) => actor && scopeFor(actor, perms.list))
  return new Set(open.flatMap(({ fields }) => Object.keys(fields)))
}

/** Where a device is and what it is connected to are for its page. */
const inList = (seen: Seen, listed: ReadonlySet<string>): Seen => ({
  ...seen,
  own: {},
  values: Object.fromEntries(Object.entries(seen.values).filter(([name]) => listed.has(name))) as Seen['values'],
})

interface Watcher {
  readonly member: Member
  readonly say: Say
  /** The newest wish. */
  sns: readonly string[]
  open: readonly string[]
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
export const mountWatch = ({ app, liveMessages, db, log, settings }: Services) => {
  const actorOf = createActorOfSession({ db, settings })
  const watchers = new Map<Member, Watcher>()
  const known = new Map<string, Seen>()
  const complain = seldom(complainEveryMs, (err: unknown, times: number) =>
    log.warn({ err, times }, 'watched devices could not be looked at'),
  )
  let timer: NodeJS.Timeout | undefined
  let looking = false

  /** What the owner of a connection may see at this moment, in lists and on a device's page; null when nothing. */
  const reachOf = async ({ sessionHash }: Member): Promise<Reach> => {
    const actor = await actorOf(sessionHash)
    return {
      list: actor && scopeFor(actor, device.perms.list),
      page: actor && scopeFor(actor, deviceDetail.perm),
      listed: listedFor(actor),
    }
  }

  const tell = ({ shown, say, open }: Watcher, { list, page, listed }: Reach, now: Seen, before: Seen | undefined) => {
    if (!list || !covers(list, now.path)) return void shown.delete(now.sn)
    const earlier = shown.has(now.sn) ? before : undefined
    shown.add(now.sn)
    const isOpen = open.includes(now.sn) && page !== null && covers(page, now.path)
    const news = isOpen ? newsOf(now, earlier) : newsOf(inList(now, listed), earlier && inList(earlier, listed))
    if (news) say(news)
  }

  const look = async () => {
    const sns = new Set([...watchers.values()].flatMap((watcher) => watcher.sns))
    for (const sn of known.keys()) if (!sns.has(sn)) known.delete(sn)
    if (sns.size === 0) return
    const changed: { now: Seen; before: Seen }[] = []
    const open = [...watchers.values()].flatMap((watcher) => watcher.open)
    for (const now of await findSeen(db, [...sns], open)) {
      const before = known.get(now.sn)
      known.set(now.sn, now)
      if (before && newsOf(now, before)) changed.push({ now, before })
    }
    for (const watcher of [...watchers.values()]) {
      const theirs = changed.filter(({ now }) => watcher.sns.includes(now.sn))
      if (theirs.length === 0) continue
      const reach = await reachOf(watcher.member)
      for (const { now, before } of theirs) tell(watcher, reach, now, before)
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
      const reach = await reachOf(watcher.member)
      // As it is now, so that what changed between the list and this word is not missed.
      for (const now of reach.list ? await findSeen(db, watcher.sns, watcher.open) : []) {
        if (watcher.wanting) break
        if (!known.has(now.sn)) known.set(now.sn, now)
        tell(watcher, reach, now, undefined)
      }
    }
    watcher.looking = false
  }

  liveMessages.on('watch', (member, message, say) => {
    const parsed = asked.safeParse(message)
    if (!parsed.success) return
    let watcher = watchers.get(member)
    if (!watcher) {
      watcher = { member, say, sns: [], open: [], wanting: false, looking: false, shown: new Set() }
      watchers.set(member, watcher)
      member.socket.once('close', () => watchers.delete(member))
    }
    watcher.sns = parsed.data.sns
    watcher.open = parsed.data.open
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
