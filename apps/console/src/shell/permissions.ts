import type { ReactNode } from 'react'
import { isPermitted, type PermissionCheck } from './granted.ts'
import { useNavigationMenu } from './navigation/navigation.ts'

export { isPermitted, type PermissionCheck }

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
