import { AppError, commonErrors, liveTicket } from '@campanile/contract'
import type { FastifyRequest } from 'fastify'
import { callerOf } from '../../kit/caller.ts'
import type { RouteRules } from '../../kit/rules.ts'
import { addSeconds } from '../../platform/clock.ts'
import { createLive } from '../../platform/live.ts'
import type { Member } from '../../platform/live-messages.ts'
import type { RateRule } from '../../platform/rate-limit.ts'
import type { Services } from '../../services.ts'
import { isAllowedFrom, isWithinValidity } from './account.ts'
import { createAuthenticate } from './authenticate.ts'
import { expiryOf } from './session.expiry.ts'
import { findConditions } from './session.store.ts'
import { insertTicket, takeTicket } from './ticket.store.ts'
import { hashToken, newToken } from './token.ts'

const ticketSeconds = 30
const asking: RateRule = { name: 'liveTicket', limit: 120, seconds: 60, by: 'person' }
const rules: RouteRules = { perm: 'signedIn', scope: 'self', module: 'live', logged: null }

/** A page of another site may open a connection here, but its browser always says where it comes from. A program says nothing. */
const refuseForeign = (request: FastifyRequest) => {
  const { origin } = request.headers
  if (origin === undefined) return
  if (!URL.canParse(origin) || new URL(origin).host !== request.host) throw new AppError(commonErrors.noPermission)
}

export const mountLive = (services: Services) => {
  const { app, kit, db, clock, settings, signals, log, rateLimit, liveMessages } = services
  const authenticate = createAuthenticate(services)
  const admitted = new WeakMap<FastifyRequest, Omit<Member, 'socket'>>()

  const endedAmong = async <M extends Omit<Member, 'socket'>>(members: readonly M[]): Promise<M[]> => {
    const now = clock.now()
    const times = await settings.all()
    const found = await findConditions(
      db,
      members.map(({ sessionHash }) => sessionHash),
    )
    return members.filter(({ sessionHash, ip }) => {
      const row = found.find((each) => each.tokenHash.equals(sessionHash))
      return (
        !row ||
        row.ended ||
        row.disabled ||
        expiryOf(row, times) <= now ||
        !isWithinValidity(row, now) ||
        !isAllowedFrom(row, ip)
      )
    })
  }
  const isOver = async (member: Omit<Member, 'socket'>) => (await endedAmong([member])).length > 0
  const live = createLive({ signals, log, endedAmong, liveMessages })

  kit.guarded(liveTicket, 'live', async (call) => {
    const { actor } = call
    await rateLimit.take(asking, String(actor.id))
    const ticket = newToken()
    await insertTicket(call.db, {
      kind: 'live',
      hash: hashToken(ticket),
      userId: actor.id,
      sessionHash: actor.sessionHash,
      expiresAt: addSeconds(clock.now(), ticketSeconds),
    })
    return { ticket }
  })

  const admit = async (request: FastifyRequest) => {
    refuseForeign(request)
    const { ticket } = request.query as { ticket?: unknown }
    if (typeof ticket !== 'string') throw new AppError(commonErrors.accessTokenMissing)
    const taken = await takeTicket(db, 'live', hashToken(ticket), clock.now())
    if (!taken?.userId || !taken.sessionHash) throw new AppError(commonErrors.tokenVerificationFailed)
    const member = { userId: taken.userId, sessionHash: taken.sessionHash, ip: callerOf(request).ip }
    if (await isOver(member)) throw new AppError(commonErrors.sessionEnded)
    admitted.set(request, member)
  }

  app.route({
    method: 'GET',
    url: '/api/live',
    config: { rules, live: true },
    onRequest: async (request) => {
      if (request.ws) await admit(request)
      else request.actor = await authenticate(request, rules)
    },
    handler: () => {
      throw new AppError(commonErrors.wrongFormat)
    },
    wsHandler: (socket, request) => {
      const member = admitted.get(request)
      if (member) live.join({ ...member, socket })
      else socket.terminate()
    },
  })

  app.addHook('onReady', async () => live.start())
  app.addHook('onClose', async () => live.stop())
}
