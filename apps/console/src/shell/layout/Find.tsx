import { useTranslation } from 'react-i18next'
import { Icon } from '../icons.tsx'
import { everyTitle } from '../localised.ts'
import type { Area, Entry } from '../navigation/areas.ts'
import type { MenuNode } from '../navigation/menu.ts'
import { titleOfNode } from '../navigation/titles.ts'
import { keysOf } from '../shortcuts/keys.ts'
import { currentLanguage } from '../texts.ts'
import { Entries } from './Lines.tsx'

/** Looks through the whole menu, not only through the area that is open. */
export function Find({ value, onChange }: { value: string; onChange: (words: string) => void }) {
  const { t } = useTranslation()
  return (
    <div className="menu-find">
      <Icon name="search" size={14} />
      <input
        type="search"
        data-menu-find
        placeholder={t('shell.menu.search')}
        aria-label={t('shell.menu.search')}
        aria-keyshortcuts={keysOf('find')}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Escape' || value === '') return
          event.stopPropagation()
          onChange('')
        }}
      />
      {value === '' && <kbd>{keysOf('find')}</kbd>}
    </div>
  )
}

const contains = (node: MenuNode | undefined, wanted: string) =>
  node !== undefined && everyTitle(node.title).some((title) => title.toLowerCase().includes(wanted))

/** By their own name, that of a tab in them, of their label or of their area, in any language. */
function findEntries(area: Area, words: string): Entry[] {
  const wanted = words.trim().toLowerCase()
  return area.groups.flatMap(({ label, entries }) =>
    entries.filter(({ node, pages }) => [node, ...pages, label, area.node].some((each) => contains(each, wanted))),
  )
}

interface FoundProps {
  areas: readonly Area[]
  words: string
  onNavigate: () => void
}

export function Found({ areas, words, onNavigate }: FoundProps) {
  const { t } = useTranslation()
  const hits = areas
    .map((area) => ({ area, entries: findEntries(area, words) }))
    .filter((hit) => hit.entries.length > 0)
  if (hits.length === 0)
    return (
      <p className="menu-empty" role="status">
        {t('shell.menu.noMatch')}
      </p>
    )
  return hits.map(({ area, entries }) => (
    <section key={area.key + area.node.id}>
      <h2 className="menu-label">{titleOfNode(area.node, currentLanguage())}</h2>
      <Entries entries={entries} taken={[]} onNavigate={onNavigate} />
    </section>
  ))
}
