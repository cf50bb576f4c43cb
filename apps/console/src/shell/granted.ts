export type PermissionCheck = string | { any: readonly string[] } | { all: readonly string[] }

/** Grants everything only as the first entry of the list. */
const everything = 'all'

export function isPermitted(granted: readonly string[], check: PermissionCheck): boolean {
  const has = (permission: string) => granted[0] === everything || granted.includes(permission)
  if (typeof check === 'string') return has(check)
  return 'any' in check ? check.any.some(has) : check.all.every(has)
}

let told: () => readonly string[] = () => []

/** Says where this window keeps what it was granted. Called from there, so that signing in does not fetch that code. */
export const keepPermissionsIn = (read: () => readonly string[]): void => {
  told = read
}

/** For what is said outside a component; inside one, `usePermission`. */
export const isGranted = (check: PermissionCheck): boolean => isPermitted(told(), check)
