type Place = { path: string; title: string }

let place: Place | undefined

/** Where the person is, for what must know it outside React: the end of the session, the recent list. */
export const placeNow = (): Place | undefined => place

export function setPlace(now: Place): void {
  place = now
}
