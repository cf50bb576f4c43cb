import { useTranslation } from 'react-i18next'
import { useNavigationMenu } from '../navigation/navigation.ts'
import { titleOfPath } from '../navigation/titles.ts'
import { currentLanguage } from '../texts.ts'
import type { Tab } from './tabState.ts'

/** Names tabs in the present language. */
export function useTabTitle(): (tab: Pick<Tab, 'key' | 'title' | 'behindRoute'>) => string {
  const { t } = useTranslation()
  const routes = useNavigationMenu((navigation) => navigation.routes)
  return ({ key, title, behindRoute }) =>
    title !== undefined && behindRoute !== true ? title : titleOfPath(key, routes, t, currentLanguage(), title)
}
