import { baseOf } from '../organisations/address.ts'
import { readStored, writeStored } from '../storage.ts'

/** Where a person was when the session ended, offered after signing in again. Never taken without being asked. */
export type ReturnOffer = { uid: number; path: string; title: string; organisation?: number | undefined }

const name = 'returnTo'

export const rememberPlace = (offer: ReturnOffer): void => writeStored('tab', name, offer)

/** Taken once: for the same person only, and gone afterwards. */
export function takeReturnOffer(uid: number): ReturnOffer | undefined {
  const stored = readStored('tab', name)
  writeStored('tab', name, undefined)
  return isOffer(stored) && stored.uid === uid ? stored : undefined
}

const isOffer = (value: unknown): value is ReturnOffer =>
  typeof value === 'object' && value !== null && 'uid' in value && 'path' in value && 'title' in value

/** The address of where somebody was, with the organisation they were at; nothing where they are there already. */
export const wayBack = (
  { path, organisation }: ReturnOffer,
  here: { path: string; organisation?: number | undefined },
) =>
  path === here.path && organisation === here.organisation
    ? undefined
    : { address: baseOf(organisation) + path, elsewhere: organisation !== here.organisation }

/** Only a path of this console: `//host`, `/\host` and schemes would leave it. */
export function safeRedirect(target: string | null): string {
  if (target === null || !/^\/(?![/\\])/.test(target)) return '/home'
  try {
    const url = new URL(target, window.location.origin)
    return url.origin === window.location.origin ? url.pathname + url.search : '/home'
  } catch {
    return '/home'
  }
}
