import type { ConfigValues } from '@campanile/contract'

type Times = Pick<ConfigValues, 'sessionIdleMinutes' | 'sessionAbsoluteHours'>

/** Whichever comes first: too long unused, or too long since signing in. */
export const expiryOf = (session: { readonly lastSeen: string; readonly signedInAt: string }, times: Times): Date =>
  new Date(
    Math.min(
      Date.parse(session.lastSeen) + times.sessionIdleMinutes * 60_000,
      Date.parse(session.signedInAt) + times.sessionAbsoluteHours * 3_600_000,
    ),
  )
