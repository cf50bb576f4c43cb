import { currentSession } from '../session/session.ts'
import { readStored, writeStored } from '../storage.ts'

export type RecentPlace = { path: string; title: string }

const most = 8

const name = () => `session.recentPlaces.${currentSession()?.user.uid}`

export function recentPlaces(): RecentPlace[] {
  const stored = readStored('local', name())
  return Array.isArray(stored) ? stored : []
}

export function rememberRecent(place: RecentPlace): void {
  const others = recentPlaces().filter((each) => each.path !== place.path)
  writeStored('local', name(), [place, ...others].slice(0, most))
}
