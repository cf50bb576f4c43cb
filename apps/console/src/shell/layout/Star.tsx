import { useTranslation } from 'react-i18next'
import { Icon } from '../icons.tsx'
import { toggleFavourite, useFavourites } from '../navigation/favourites.ts'

/** Puts a page on top of the menu, or takes it away again. */
export function Star({ page, title, named }: { page: string; title: string; named?: string | undefined }) {
  const { t } = useTranslation()
  const starred = useFavourites(({ rows }) => rows.some((row) => row.path === page))
  const label = t('shell.menu.star', { title })
  return (
    <button
      type="button"
      className="star"
      aria-label={label}
      aria-pressed={starred}
      title={label}
      onClick={() => toggleFavourite(page, named)}
    >
      <Icon name="star" size={14} />
    </button>
  )
}
