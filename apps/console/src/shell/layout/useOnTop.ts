import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { type Area, entryOf } from '../navigation/areas.ts'
import { useFavourites } from '../navigation/favourites.ts'
import type { MenuNode } from '../navigation/menu.ts'
import { useNavigationMenu } from '../navigation/navigation.ts'
import { resolve } from '../navigation/resolve.ts'
import { titleOf } from '../navigation/titles.ts'
import { allScreens } from '../screens.ts'
import { currentLanguage } from '../texts.ts'

/** A line above the entries: a page with a star, or a saved view of a list. */
export type Line = {
  /** What a star is given to: the page, and its view by number. */
  page: string
  /** Where it leads: a view brings its filters. */
  to: string
  title: string
  icon: string
  /** Of the list it is a view of, or of the page itself. */
  node: MenuNode | undefined
}

/** Favourites of the person that can be opened here, and the views of an area's lists that have no star. */
export function useOnTop(area: Area | undefined): { favourites: Line[]; views: Line[] } {
  const { t, i18n } = useTranslation()
  const { rows, views } = useFavourites()
  const { routes, areas } = useNavigationMenu()
  // biome-ignore lint/correctness/useExhaustiveDependencies: titles change with the language
  return useMemo(() => {
    const pages = areas.flatMap((each) => each.entries).flatMap((entry) => entry.pages)
    const viewLines = views.flatMap(({ id, name, perm, search }): Line[] => {
      const node = pages.find((each) => each.perms === perm)
      if (node === undefined) return []
      const query = new URLSearchParams(search)
      query.set('view', String(id))
      return [{ page: `${node.path}?view=${id}`, to: `${node.path}?${query}`, title: name, icon: 'template', node }]
    })
    const toLine = (row: (typeof rows)[number]): Line[] => {
      const [path = '', query] = row.path.split('?')
      if (query !== undefined) return viewLines.filter((line) => line.page === row.path)
      const found = resolve(path, { screens: allScreens, routes })
      if (found.kind !== 'screen' || found.menu?.unused !== undefined) return []
      const node = found.menu
      const isOwn = node?.path === path
      const title = isOwn || row.title === null ? titleOf(found, t, currentLanguage()) : row.title
      return [{ page: row.path, to: row.path, title, icon: node?.node.icon ?? 'dot', node: node?.node }]
    }
    const starred = new Set(rows.map((row) => row.path))
    return {
      favourites: rows.flatMap(toLine),
      views: viewLines.filter(
        (line) => !starred.has(line.page) && area !== undefined && entryOf([area], line.node) !== undefined,
      ),
    }
  }, [rows, views, routes, areas, area, t, i18n.language])
}
