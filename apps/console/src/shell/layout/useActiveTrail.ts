import { useMemo } from 'react'
import { useLocation } from 'react-router'
import type { MenuNode } from '../navigation/menu.ts'
import { useNavigationMenu } from '../navigation/navigation.ts'
import { resolve } from '../navigation/resolve.ts'
import { allScreens } from '../screens.ts'

/** The menu entries from the top down to the one this page belongs to; a drill-down belongs to its list. */
export function useActiveTrail(): readonly MenuNode[] {
  const { pathname } = useLocation()
  const routes = useNavigationMenu((navigation) => navigation.routes)
  return useMemo(() => {
    const here = resolve(pathname, { screens: allScreens, routes })
    return ('menu' in here ? here.menu?.trail : undefined) ?? []
  }, [pathname, routes])
}
