import type { ReactNode } from 'react'
import { useNavigationMenu } from './navigation/navigation.ts'

export type PermissionCheck = string | { any: readonly string[] } | { all: readonly string[] }

/** Grants everything only as the first entry of the list. */
const everything = 'all'

export function isPermitted(granted: readonly string[], check: PermissionCheck): boolean {
  const has = (permission: string) => granted[0] === everything || granted.includes(permission)
  if (typeof check === 'string') return has(check)
  return 'any' in check ? check.any.some(has) : check.all.every(has)
}

export function usePermission(check: PermissionCheck): boolean {
  return isPermitted(
    useNavigationMenu((navigation) => navigation.permissions),
    check,
  )
}

/**
 * What is not permitted is removed, never greyed.
 * @public
 */
export function Permit({ perm, children }: { perm: PermissionCheck; children: ReactNode }): ReactNode {
  return usePermission(perm) ? children : null
}
