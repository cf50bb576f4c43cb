import { useContext } from 'react'
import { later } from '../later.tsx'
import { useNavigationMenu } from '../navigation/navigation.ts'
import { TabContext } from '../tabs/TabContext.ts'

const UnusedNotice = later(async () => (await import('./UnusedNotice.tsx')).UnusedNotice, ['organisation'])

/** Said on a page that a link has opened although the menu of the organisation leaves it out. */
export function UnusedModule() {
  const { key } = useContext(TabContext)
  const module = useNavigationMenu(({ routes }) => routes.find((route) => route.path === key)?.unused)
  return module === undefined ? null : <UnusedNotice module={module} />
}
