import { useContext } from 'react'
import { useNavigationMenu } from '../navigation/navigation.ts'
import { TabContext } from '../tabs/TabContext.ts'
import { homeKey } from '../tabs/tabState.ts'
import { useTabs } from '../tabs/tabStore.ts'
import { Star } from './Star.tsx'

/** The star of the open page. A page the menu lists goes by the name it has there, any other by its own. */
export function PageStar({ title }: { title: string }) {
  const { key } = useContext(TabContext)
  const isPlace = useTabs(({ tabs }) => tabs.some((tab) => tab.key === key))
  const isListed = useNavigationMenu(({ routes }) => routes.some((route) => route.path === key))
  return isPlace && key !== homeKey && <Star page={key} title={title} named={isListed ? undefined : title} />
}
