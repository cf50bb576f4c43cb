import { useLocation } from 'react-router'
import { MenuIcon } from '../icons.tsx'
import { type Entry, pathOf } from '../navigation/areas.ts'
import { titleOfNode } from '../navigation/titles.ts'
import { currentLanguage } from '../texts.ts'
import { MenuLink } from './MenuLink.tsx'
import { Star } from './Star.tsx'
import { useActiveTrail } from './useActiveTrail.ts'
import type { Line } from './useOnTop.ts'

type Opens = { onNavigate: () => void }

/** The page in front, with the number of its view: a view is another line than its list. */
const useHere = () => {
  const { pathname, search } = useLocation()
  const view = new URLSearchParams(search).get('view')
  return view === null ? pathname : `${pathname}?view=${view}`
}

/** Entries of the menu, each with its star. `taken`: lines above that may be the page in front instead of its entry. */
export function Entries({ entries, taken, onNavigate }: Opens & { entries: readonly Entry[]; taken: readonly Line[] }) {
  const here = useHere()
  const page = useActiveTrail().at(-1)
  const isAbove = taken.some((line) => line.page === here)
  return (
    <ul>
      {entries.map((entry) => {
        const title = titleOfNode(entry.node, currentLanguage())
        return (
          <li key={entry.node.id} className="menu-line">
            <MenuLink
              path={pathOf(entry)}
              current={!isAbove && entry.pages.some(({ id }) => id === page?.id)}
              onNavigate={onNavigate}
            >
              <MenuIcon name={entry.node.icon} />
              <span className="menu-title" title={title}>
                {title}
              </span>
            </MenuLink>
            <Star page={pathOf(entry)} title={title} />
          </li>
        )
      })}
    </ul>
  )
}

/** Favourites and views. */
export function OnTop({ lines, onNavigate }: Opens & { lines: readonly Line[] }) {
  const here = useHere()
  return (
    <ul>
      {lines.map(({ page, to, title, icon }) => (
        <li key={page} className="menu-line">
          <MenuLink path={to} current={page === here} onNavigate={onNavigate}>
            <MenuIcon name={icon} />
            <span className="menu-title" title={title}>
              {title}
            </span>
          </MenuLink>
          <Star page={page} title={title} />
        </li>
      ))}
    </ul>
  )
}
