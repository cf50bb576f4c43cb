import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Icon } from '../icons.tsx'
import type { Area } from '../navigation/areas.ts'
import { useNavigationMenu } from '../navigation/navigation.ts'
import { titleOfNode } from '../navigation/titles.ts'
import { changeSettings, useSettings } from '../settings/settings.ts'
import { keysOf } from '../shortcuts/keys.ts'
import { currentLanguage } from '../texts.ts'
import { Find, Found } from './Find.tsx'
import { Entries, OnTop } from './Lines.tsx'
import { useOnTop } from './useOnTop.ts'

interface Props {
  area: Area
  /** Over the page until something is chosen, where it has no place of its own. */
  floating: boolean
  onNavigate: () => void
}

/** What one area holds, below what the person has put on top. */
export function AreaPanel({ area, floating, onNavigate }: Props) {
  const { t } = useTranslation()
  const areas = useNavigationMenu((navigation) => navigation.areas)
  const collapsed = useSettings((settings) => settings.collapsed)
  const { favourites, views } = useOnTop(area)
  const [words, setWords] = useState('')
  const chosen = () => {
    setWords('')
    onNavigate()
  }
  return (
    <div id="area-panel" className="area-panel" data-floating={floating}>
      <Find value={words} onChange={setWords} />
      <div className="area-lines">
        {words.trim() !== '' ? (
          <Found areas={areas} words={words} onNavigate={chosen} />
        ) : (
          <>
            {favourites.length > 0 && (
              <section>
                <h2 className="menu-label">{t('shell.menu.favourites')}</h2>
                <OnTop lines={favourites} onNavigate={chosen} />
              </section>
            )}
            {views.length > 0 && (
              <section>
                <h2 className="menu-label">{t('shell.menu.views')}</h2>
                <OnTop lines={views} onNavigate={chosen} />
              </section>
            )}
            {area.groups.map(({ label, entries }) => (
              <section key={label?.id ?? `by itself ${entries[0]?.node.id}`}>
                {label !== undefined && <h2 className="menu-label">{titleOfNode(label, currentLanguage())}</h2>}
                <Entries entries={entries} taken={[...favourites, ...views]} onNavigate={chosen} />
              </section>
            ))}
          </>
        )}
      </div>
      {(collapsed || !floating) && (
        <button
          type="button"
          className="menu-entry panel-hide"
          onClick={() => changeSettings({ collapsed: !collapsed })}
        >
          <Icon name="collapse" />
          <span className="menu-title">{t(collapsed ? 'shell.menu.expand' : 'shell.menu.collapse')}</span>
          <kbd>{keysOf('panel')}</kbd>
        </button>
      )}
    </div>
  )
}
