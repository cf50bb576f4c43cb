import { type ReactNode, useContext, useEffect, useRef } from 'react'
import { PageStar } from './layout/PageStar.tsx'
import { PageTabs } from './layout/PageTabs.tsx'
import { UnusedModule } from './layout/UnusedModule.tsx'
import { TabContext } from './tabs/TabContext.ts'
import { rename } from './tabs/tabState.ts'
import { changeTabs } from './tabs/tabStore.ts'
import './page.css'

type PageProps = {
  title: string
  /** Figures beside the title: totals, state, when updated. */
  sub?: ReactNode
  /** A line under the title: what belongs to it and may be long. */
  below?: ReactNode
  /** At the right, one primary at most. */
  actions?: ReactNode
  /** A better name for the tab than the route's: a serial number, a person. */
  tabTitle?: string
  children?: ReactNode
}

/** The frame of a page: its title line, then what it shows. */
export function Page({ title, sub, below, actions, tabTitle, children }: PageProps) {
  const heading = useRef<HTMLHeadingElement>(null)

  // Runs on every arrival, because a page brought back from the background mounts its effects anew.
  useEffect(() => arriveAt(heading.current), [])

  useTabTitle(tabTitle)

  return (
    <div className="page">
      <header className="page-head">
        <h1 className="page-title" ref={heading} tabIndex={-1}>
          {title}
        </h1>
        <PageStar title={tabTitle ?? title} />
        {sub !== undefined && <div className="page-sub">{sub}</div>}
        {actions !== undefined && <div className="page-actions">{actions}</div>}
        {below !== undefined && <div className="page-below">{below}</div>}
      </header>
      <UnusedModule />
      <PageTabs />
      {children}
    </div>
  )
}

/**
 * Names the tab, from any part of the page that knows better than the route. A name has no language: what has to be
 * translated is the route's own title, behind which the name stands when it is asked to.
 */
export const useTabTitle = (title: string | undefined, behindRoute = false) => {
  const { key } = useContext(TabContext)
  useEffect(() => {
    if (title !== undefined) changeTabs((state) => rename(state, key, title, behindRoute))
  }, [key, title, behindRoute])
}

let arrived = false

/** Focus follows navigation to the heading; the first page leaves it at the top, where the skip link is. */
function arriveAt(heading: HTMLElement | null): void {
  if (arrived && !isBusyElsewhere()) heading?.focus({ preventScroll: true })
  arrived = true
}

const isBusyElsewhere = () => document.activeElement?.closest('[role=dialog], dialog') != null
