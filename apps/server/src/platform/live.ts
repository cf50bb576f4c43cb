import { liveClosing } from '@campanile/contract'
import type { Logger } from 'pino'
import { createAllowance } from './haste.ts'
import type { LiveMessages, Member } from './live-messages.ts'
import { type LiveMessage, liveChannel } from './notify.ts'
import { seldom } from './seldom.ts'
import type { Signals } from './signals.ts'

interface Deps {
  readonly signals: Signals
  readonly log: Logger
  /** What browsers say, to whoever listens for it. */
  readonly liveMessages: LiveMessages
  /** Those whose session is over, for whatever reason. */
  readonly endedAmong: (members: readonly Member[]) => Promise<readonly Member[]>
}

/** Ids of people whose rights changed; sent by the database itself. */
export const accessChannel = 'access'
const checkMs = 1000
const pingEvery = 30
const mostOfSession = 20
/** Messages of one account over all its connections: a browser says a few liveMessages when its screen changes. */
const wordsPerMinute = 300
const wordsAtOnce = 100
const { changed, ended, tooMany } = liveClosing
/** Whoever floods does not wait for our goodbye either. */
const farewellMs = 1_000
const complainEveryMs = 60_000
/** Somebody who does not read is cut off before what waits for them fills the memory. */
const mostBuffered = 1024 * 1024

/** Browsers that listen. Messages come from any server process through the database; a session's end is asked for every second. */
export const createLive = ({ signals, log, endedAmong, liveMessages }: Deps) => {
  const members = new Set<Member>()
  const answered = new WeakSet<Member>()
  const allowance = createAllowance(wordsPerMinute, wordsAtOnce)
  const complain = seldom(complainEveryMs, (userId, times) =>
    log.warn({ userId, times }, 'live connections were closed: too many messages'),
  )
  let timer: NodeJS.Timeout | undefined
  let checking = false
  let round = 0

  const of = (userIds: readonly number[]) => [...members].filter(({ userId }) => userIds.includes(userId))

  const send = ({ socket }: Member, message: LiveMessage['message']) => {
    if (socket.bufferedAmount > mostBuffered) socket.terminate()
    else socket.send(JSON.stringify(message))
  }

  const dismiss = (some: readonly Member[]) => {
    for (const member of some) {
      send(member, { type: 'sessionEnd' })
      member.socket.close(ended)
    }
  }

  const check = async (some: readonly Member[]) => {
    try {
      dismiss(await endedAmong(some))
    } catch (err) {
      // Who cannot be checked is not let listen on.
      log.warn({ err }, 'live connections closed: sessions cannot be checked')
      for (const { socket } of some) socket.close(changed)
    }
  }

  /** Whoever floods is cut off unheard and has to wait: a new connection does not start the count anew. */
  const hear = (member: Member, text: string) => {
    const { socket, userId } = member
    if (socket.readyState !== socket.OPEN) return
    if (allowance.take(userId) === 0) return liveMessages.hear(member, text, (message) => send(member, message))
    complain(userId)
    socket.close(tooMany)
    setTimeout(() => socket.terminate(), farewellMs).unref()
  }

  /** A line that went dead without a word does not answer; it is let go at the next round. */
  const ping = () => {
    for (const member of members) {
      if (!answered.delete(member)) member.socket.terminate()
      else member.socket.ping()
    }
  }

  const tick = async () => {
    if (checking || members.size === 0) return
    checking = true
    round += 1
    await check([...members])
    if (round % pingEvery === 0) ping()
    checking = false
  }

  signals.on(liveChannel, (payload) => {
    if (payload === undefined) return
    const { userIds, message } = JSON.parse(payload) as LiveMessage
    for (const member of of(userIds)) send(member, message)
  })
  signals.on(accessChannel, async (payload) => {
    // After a gap nobody knows whose rights changed, so everybody comes back once.
    const affected = payload === undefined ? [...members] : of([Number(payload)])
    if (affected.length === 0) return
    await check(affected)
    for (const { socket } of affected) socket.close(changed)
  })

  return {
    join: (member: Member) => {
      const { socket } = member
      const same = [...members].filter(({ sessionHash }) => sessionHash.equals(member.sessionHash))
      if (same.length >= mostOfSession) return socket.close(1013)
      members.add(member)
      answered.add(member)
      socket.on('message', (data) => hear(member, String(data)))
      socket.on('pong', () => answered.add(member))
      socket.on('close', () => members.delete(member))
      socket.on('error', () => socket.terminate())
    },
    start: () => {
      timer = setInterval(() => void tick(), checkMs)
    },
    stop: () => clearInterval(timer),
  }
}
