/** `/at/12/device/list`: the list of organisation 12. An address without it is one's own organisation. */
const pattern = /^\/at\/(\d{1,15})(?=\/|$)/

export function organisationIn(path: string): number | undefined {
  const id = pattern.exec(path)?.[1]
  return id === undefined ? undefined : Number(id)
}

export const baseOf = (organisation: number | undefined): string =>
  organisation === undefined ? '' : `/at/${organisation}`

/** The page an address names, wherever it is looked at from. */
export const pageIn = (path: string): string => path.replace(pattern, '') || '/'

/** Which organisation this window is at. Others of the same browser may be elsewhere. */
export const organisationHere = (): number | undefined => organisationIn(window.location.pathname)

export const pageHere = (): string => pageIn(window.location.pathname)
