import { readStored, writeStored } from '../storage.ts'

/** The half-finished sign-in between password and six digits; survives F5, never longer than the server's ticket. */
export type PendingLogin = { ticket: string; username: string; since: number; redirect: string }

const name = 'pendingLogin'
const lifetimeMs = 5 * 60_000

const isPending = (value: unknown): value is PendingLogin =>
  typeof value === 'object' && value !== null && 'ticket' in value && 'since' in value

export function readPendingLogin(now = Date.now()): PendingLogin | undefined {
  const stored = readStored('tab', name)
  if (!isPending(stored)) return undefined
  if (now - stored.since < lifetimeMs) return stored
  forgetPendingLogin()
  return undefined
}

export const rememberPendingLogin = (pending: PendingLogin): void => writeStored('tab', name, pending)

export const forgetPendingLogin = (): void => writeStored('tab', name, undefined)
