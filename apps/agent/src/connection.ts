import { commandTopic, type UpKind, upTopic } from '@campanile/contract/protocol'
import type { Identity, IdentityStore, Membership } from './identity.ts'
import { type Join, NotTaken } from './join.ts'
import { type Link, type OpenLink, Refused } from './link/link.ts'
import { reconnectDelay } from './reconnect.ts'
import { type Timers, within } from './timers.ts'

export const keepaliveSeconds = 60
/** Connected this long, a connection counts as good and the next one is tried soon. */
const goodMs = 30_000
/** Tries on one server before the other one is tried, while it is open which will have us. */
const otherAfter = 6
const partingMs = 5_000

/** What an interruption made on purpose is called. */
export const networkGone = 'the network went away'

export interface ConnectionParts {
  readonly identity: Identity
  readonly identities: IdentityStore
  readonly open: OpenLink
  readonly join: Join
  readonly timers: Timers
  readonly random: () => number
  readonly log: (line: string) => void
  /** What a device says first. */
  readonly hello: () => Promise<string>
  readonly received: (payload: Uint8Array) => void
  /** The server has taken our first word. */
  readonly opened: () => Promise<void>
  readonly closed: () => void
  /** One server did not have us, the other did. */
  readonly fellBack: (text: string) => Promise<void>
}

/** One connection at a time: made, lost, made anew, and moved from one server to another. */
export const createConnection = (parts: ConnectionParts) => {
  const { timers, random, log } = parts
  let { identity } = parts
  const { sn } = identity
  let link: Link | undefined
  let running = false
  let attempt = 0
  /** How often in a row we were told no. */
  let refusals = 0
  let connectedAt = 0
  /** Which connection is meant: what an older one still says is not heard. */
  let turn = 0
  let moving = false
  let cancelConnect = () => {}
  let fallback: string | undefined

  const save = async (next: Identity) => {
    identity = next
    await parts.identities.save(next)
  }

  const open = (to: Membership, handlers: Parameters<OpenLink>[1]) =>
    parts.open(
      {
        url: to.mqttUrl,
        username: to.username,
        password: to.password,
        clientId: sn,
        keepaliveSeconds,
        subscribe: commandTopic(sn),
        will: { topic: upTopic(sn, 'bye'), payload: '{"reason":"lost"}' },
      },
      handlers,
    )

  const publish = async (kind: UpKind, payload: string): Promise<void> => {
    if (!link) throw new Error('not connected')
    await link.publish(upTopic(sn, kind), payload)
  }

  const connect = async (): Promise<void> => {
    cancelConnect()
    turn += 1
    const mine = turn
    let fresh: Link
    try {
      fresh = await open(identity, {
        message: (payload) => {
          if (mine === turn) parts.received(payload)
        },
        lost: (reason) => {
          if (mine === turn) lost(reason, false)
        },
      })
    } catch (error) {
      if (mine === turn) lost(wordsOf(error), error instanceof Refused)
      return
    }
    if (!running || mine !== turn) return fresh.close()
    await begin(fresh)
  }

  const begin = async (fresh: Link) => {
    link = fresh
    connectedAt = timers.now()
    log(`connected to ${identity.mqttUrl}`)
    try {
      await publish('hello', await parts.hello())
      await settle()
      await parts.opened()
    } catch (error) {
      // A connection that has ended meanwhile has been told to `lost`.
      if (link === fresh) log(`not all could be said: ${wordsOf(error)}`)
    }
  }

  /** This server has us: there is no other any more. */
  const settle = async () => {
    if (!identity.previous && !identity.joining) return
    const { previous: _other, joining: _code, ...settled } = identity
    await save(settled).catch((error) => log(`the identity could not be saved: ${wordsOf(error)}`))
    const text = fallback
    fallback = undefined
    if (text) await parts.fellBack(text)
  }

  const lost = (reason: string, refused: boolean): void => {
    turn += 1
    if (link && timers.now() - connectedAt >= goodMs) attempt = 0
    if (link) parts.closed()
    link = undefined
    // Whoever moves decides where to go on from.
    if (!running || moving) return
    refusals = refused ? refusals + 1 : 0
    const isLate = refused || attempt >= otherAfter
    if (refused && identity.joining) void joinAgain().then((joined) => retry(reason, !joined))
    // The other one is asked soon; refused by both, there is no hurry.
    else if (identity.previous && isLate) void turnToOther(reason).then(() => retry(reason, refusals > 1))
    else retry(reason, refused)
  }

  const retry = (reason: string, refused: boolean): void => {
    const delay = reconnectDelay(attempt, refused, random)
    attempt += 1
    log(`not connected to ${identity.mqttUrl} (${reason}); next try in ${Math.ceil(delay / 1000)} s`)
    cancelConnect()
    if (running) cancelConnect = timers.after(delay, () => void connect())
  }

  const turnToOther = async (reason: string) => {
    const { previous: other, ...rest } = identity
    if (!other) return
    const { serverUrl, username, password, mqttUrl, releaseKey } = rest
    fallback = `${serverUrl} does not have this device (${reason}): on ${other.serverUrl}`
    log(`${serverUrl} does not have this device (${reason}): trying ${other.serverUrl}`)
    const previous = { serverUrl, username, password, mqttUrl, ...(releaseKey && { releaseKey }) }
    const turned = { ...belonging(rest, other), previous }
    await save(turned).catch((error) => log(`the identity could not be saved: ${wordsOf(error)}`))
  }

  /** Ended while a code was being exchanged, and the old credential is no more: the server tells the same key once more. */
  const joinAgain = async (): Promise<boolean> => {
    const { joining, ...rest } = identity
    if (!joining) return false
    try {
      const next = await parts.join(joining.serverUrl, { sn, code: joining.code, privateKey: identity.privateKey })
      await save(belonging(rest, next))
      attempt = 0
      log(`${sn} has joined ${next.serverUrl}`)
      return true
    } catch (error) {
      log(wordsOf(error))
      if (error instanceof NotTaken) await save(rest).catch(() => undefined)
      return false
    }
  }

  /**
   * Leaves for another server once that has taken our first word; rejects, and stays, when it does not. What is answered is to
   * be called when the old server has been told. Ended at any moment in between, we are known to one of the two, and try both.
   */
  const move = async (find: () => Promise<Membership>): Promise<() => Promise<void>> => {
    moving = true
    const trial: { turn?: number; ended?: string; early: Uint8Array[] } = { early: [] }
    try {
      const next = await find()
      const { joining: _exchanged, ...here } = identity
      await save({ ...here, previous: next })
      const fresh = await open(next, {
        message: (payload) => {
          if (trial.turn === undefined) trial.early.push(payload)
          else if (trial.turn === turn) parts.received(payload)
        },
        lost: (reason) => {
          trial.ended = reason
          if (trial.turn !== undefined && trial.turn === turn) lost(reason, false)
        },
      }).catch((error) => {
        throw new Error(`${next.mqttUrl} does not take this device (${wordsOf(error)})`)
      })
      try {
        await fresh.publish(upTopic(sn, 'hello'), await parts.hello())
        const { previous: _other, ...left } = identity
        await save(belonging(left, next))
      } catch (error) {
        fresh.drop()
        throw error
      }
      return () => adopt(fresh, trial)
    } catch (error) {
      moving = false
      await stay(error instanceof NotTaken)
      throw error
    }
  }

  /** Once a code was sent, the old credential may be no more: a new connection shows it. */
  const stay = async (isAnswered: boolean) => {
    const mayBeGone = identity.joining
      ? !isAnswered
      : identity.previous && identity.previous.password !== identity.password
    if (link && !mayBeGone) return settle()
    const leaving = link
    turn += 1
    link = undefined
    if (leaving) {
      parts.closed()
      await within(timers, partingMs, leaving.close())
    }
    if (running) void connect()
  }

  const adopt = async (fresh: Link, trial: { turn?: number; ended?: string; early: Uint8Array[] }) => {
    const leaving = link
    cancelConnect()
    turn += 1
    trial.turn = turn
    moving = false
    attempt = 0
    link = undefined
    parts.closed()
    if (leaving) await within(timers, partingMs, leaving.close())
    if (!running) return fresh.close()
    if (trial.turn !== turn) return
    if (trial.ended !== undefined) return lost(trial.ended, false)
    await begin(fresh)
    for (const payload of trial.early) parts.received(payload)
  }

  return {
    get identity() {
      return identity
    },
    get connected() {
      return link !== undefined
    },
    publish,
    move,
    noteKey: (releaseKey: string) => save({ ...identity, releaseKey }),
    /** Written down before a code is sent, for the answer may never be heard. */
    noteJoining: (joining: NonNullable<Identity['joining']>) => save({ ...identity, joining }),
    start: async () => {
      running = true
      attempt = 0
      await connect()
    },
    stop: async (reason: string): Promise<void> => {
      running = false
      cancelConnect()
      const leaving = link
      link = undefined
      parts.closed()
      if (!leaving) return
      const parting = leaving.publish(upTopic(sn, 'bye'), JSON.stringify({ reason })).then(() => leaving.close())
      await within(timers, partingMs, parting)
    },
    /** Drops the connection as a bad network would, and comes back by itself. */
    interrupt: () => {
      const leaving = link
      if (!leaving) return
      lost(networkGone, false)
      leaving.drop()
    },
  }
}

/** The same device with another membership: nothing of the one before is left. */
const belonging = ({ releaseKey: _before, ...device }: Identity, next: Membership): Identity => ({ ...device, ...next })

const wordsOf = (error: unknown) => (error instanceof Error ? error.message : String(error))
