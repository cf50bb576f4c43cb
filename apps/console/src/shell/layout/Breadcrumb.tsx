import { useTranslation } from 'react-i18next'
import { Link, useLocation } from 'react-router'
import { useNavigationMenu } from '../navigation/navigation.ts'
import { resolve } from '../navigation/resolve.ts'
import { titleOf, titleOfNode } from '../navigation/titles.ts'
import { allScreens } from '../screens.ts'
import { currentLanguage } from '../texts.ts'

/** From the top of the menu to this page. */
export function Breadcrumb() {
  const { t } = useTranslation()
  const { pathname } = useLocation()
  const routes = useNavigationMenu((navigation) => navigation.routes)
  const here = resolve(pathname, { screens: allScreens, routes })
  const menu = 'menu' in here ? here.menu : undefined
  const above = (menu?.trail ?? []).filter((node) => node.path !== pathname)
  return (
    <nav className="breadcrumb" aria-label={t('shell.breadcrumb')}>
      <ol>
        {above.map((node) => (
          <li key={node.id}>
            {node.path === '' ? (
              titleOfNode(node, currentLanguage())
            ) : (
              <Link to={node.path}>{titleOfNode(node, currentLanguage())}</Link>
            )}
          </li>
        ))}
        <li aria-current="page">{titleOf(here, t, currentLanguage())}</li>
      </ol>
    </nav>
  )
}
