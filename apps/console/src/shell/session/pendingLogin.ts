import { readStored, writeStored } from '../storage.ts'

/** The half-finished sign-in between password and six digits; survives F5, never longer than the server's ticket. */
export type PendingLogin = { ticket: string; username: string; since: number; redirect: string; settingUp?: boolean }
/** What an authenticator app has to learn. */
export type SetUp = { secret: string; uri: string }

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

let setUp: SetUp | undefined
/** A secret is written down nowhere: who loads the page anew signs in anew and is shown another. */
export const rememberSetUp = (given: SetUp | undefined): void => {
  setUp = given
}
export const readSetUp = (): SetUp | undefined => setUp
