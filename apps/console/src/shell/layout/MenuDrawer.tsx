import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Icon, MenuIcon } from '../icons.tsx'
import { type Area, areaOf, firstPath, type Group, isScreen } from '../navigation/areas.ts'
import { useNavigationMenu } from '../navigation/navigation.ts'
import { titleOfNode } from '../navigation/titles.ts'
import { Brand } from '../signIn/Brand.tsx'
import { currentLanguage } from '../texts.ts'
import { Find, Found } from './Find.tsx'
import { Entries, OnTop } from './Lines.tsx'
import { MenuLink } from './MenuLink.tsx'
import { useActiveTrail } from './useActiveTrail.ts'
import { type Line, useOnTop } from './useOnTop.ts'

/** The same menu on small screens: areas that open in place. */
export function MenuDrawer({ open, onClose }: { open: boolean; onClose: () => void }) {
  const { t } = useTranslation()
  const areas = useNavigationMenu((navigation) => navigation.areas)
  const current = areaOf(areas, useActiveTrail().at(-1))
  const [words, setWords] = useState('')
  const [opened, setOpened] = useState<Area>()
  const shown = opened ?? current
  const frame = useRef<HTMLElement>(null)
  useEffect(() => {
    if (open) frame.current?.querySelector<HTMLElement>('a, button')?.focus()
  }, [open])
  const leave = () => {
    setWords('')
    setOpened(undefined)
    onClose()
  }
  return (
    <>
      <button type="button" className="shade" aria-label={t('shell.menu.close')} tabIndex={-1} onClick={leave} />
      <nav
        className="menu-drawer"
        ref={frame}
        aria-label={t('shell.menu.main')}
        onKeyDown={(event) => event.key === 'Escape' && leave()}
      >
        <div className="drawer-head">
          <Brand />
          <button type="button" className="icon-button" aria-label={t('shell.menu.close')} onClick={leave}>
            <Icon name="close" size={18} />
          </button>
        </div>
        <Find value={words} onChange={setWords} />
        <div className="area-lines">
          {words.trim() !== '' ? (
            <Found areas={areas} words={words} onNavigate={leave} />
          ) : (
            <ul>
              {areas.map((area) => (
                <li key={area.node.id}>
                  {isScreen(area) ? (
                    <MenuLink path={firstPath(area)} current={area === current} onNavigate={leave}>
                      <MenuIcon name={area.node.icon} />
                      <span className="menu-title">{titleOfNode(area.node, currentLanguage())}</span>
                    </MenuLink>
                  ) : (
                    <Branch
                      area={area}
                      open={area === shown}
                      onToggle={() => setOpened(area === shown ? areas[0] : area)}
                      onNavigate={leave}
                    />
                  )}
                </li>
              ))}
            </ul>
          )}
          {areas.length === 1 && <p className="menu-empty">{t('shell.emptyMenu.text')}</p>}
        </div>
      </nav>
    </>
  )
}

interface BranchProps {
  area: Area
  open: boolean
  onToggle: () => void
  onNavigate: () => void
}

function Branch({ area, open, onToggle, onNavigate }: BranchProps) {
  const { t } = useTranslation()
  const { favourites, views } = useOnTop(area)
  return (
    <>
      <button type="button" className="menu-entry branch" aria-expanded={open} onClick={onToggle}>
        <MenuIcon name={area.node.icon} />
        <span className="menu-title">{titleOfNode(area.node, currentLanguage())}</span>
        <Icon name={open ? 'down' : 'right'} size={14} />
      </button>
      {open && (
        <div className="branch-lines">
          {favourites.length > 0 && <h2 className="menu-label">{t('shell.menu.favourites')}</h2>}
          <OnTop lines={favourites} onNavigate={onNavigate} />
          {views.length > 0 && <h2 className="menu-label">{t('shell.menu.views')}</h2>}
          <OnTop lines={views} onNavigate={onNavigate} />
          {area.groups.map((group, at) => (
            <Folded
              key={group.label?.id ?? `by itself ${group.entries[0]?.node.id}`}
              group={group}
              first={at === 0}
              taken={[...favourites, ...views]}
              onNavigate={onNavigate}
            />
          ))}
        </div>
      )}
    </>
  )
}

interface FoldedProps {
  group: Group
  first: boolean
  taken: readonly Line[]
  onNavigate: () => void
}

/** The first group and the one of the page are open, the others say how many they hold. */
function Folded({ group: { label, entries }, first, taken, onNavigate }: FoldedProps) {
  const page = useActiveTrail().at(-1)
  const holdsPage = entries.some(({ pages }) => pages.some(({ id }) => id === page?.id))
  const [opened, setOpened] = useState(first || holdsPage)
  if (label === undefined) return <Entries entries={entries} taken={taken} onNavigate={onNavigate} />
  return (
    <>
      <button type="button" className="menu-entry fold" aria-expanded={opened} onClick={() => setOpened(!opened)}>
        <span className="menu-title">{titleOfNode(label, currentLanguage())}</span>
        {!opened && <span className="fold-count">{entries.length}</span>}
        <Icon name={opened ? 'down' : 'right'} size={14} />
      </button>
      {opened && <Entries entries={entries} taken={taken} onNavigate={onNavigate} />}
    </>
  )
}
