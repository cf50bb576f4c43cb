import { useContext } from 'react'
import { useTranslation } from 'react-i18next'
import { entryOf } from '../navigation/areas.ts'
import { useNavigationMenu } from '../navigation/navigation.ts'
import { titleOfNode } from '../navigation/titles.ts'
import { TabContext } from '../tabs/TabContext.ts'
import { currentLanguage } from '../texts.ts'
import { MenuLink } from './MenuLink.tsx'

const stay = () => undefined

/** Screens that share one entry of the menu are tabs of one page, each with an address of its own. */
export function PageTabs() {
  useTranslation()
  const { key } = useContext(TabContext)
  const { areas, routes } = useNavigationMenu()
  const page = routes.find((route) => route.path === key)?.node
  const entry = page && entryOf(areas, page)
  if (entry === undefined || entry.pages.length < 2) return null
  return (
    <nav className="page-tabs" aria-label={titleOfNode(entry.node, currentLanguage())}>
      {entry.pages.map((each) => (
        <MenuLink key={each.id} className="page-tab" path={each.path} current={each.id === page?.id} onNavigate={stay}>
          {titleOfNode(each, currentLanguage())}
        </MenuLink>
      ))}
    </nav>
  )
}
