import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation } from 'react-router'
import { type Area, areaOf, isScreen } from '../navigation/areas.ts'
import { useNavigationMenu } from '../navigation/navigation.ts'
import { useSettings } from '../settings/settings.ts'
import { AreaPanel } from './AreaPanel.tsx'
import { Rail } from './Rail.tsx'
import { useActiveTrail } from './useActiveTrail.ts'

/** The menu beside the page: the areas, and what the area of the page holds. In the mixed layout the areas stand above. */
export function Navigation() {
  const { t } = useTranslation()
  const { layout, collapsed } = useSettings()
  const areas = useNavigationMenu((navigation) => navigation.areas)
  const current = areaOf(areas, useActiveTrail().at(-1))
  const { chosen, choose, frame } = useChosen()
  const shown = chosen ?? (collapsed ? undefined : current)
  const hasPanel = shown !== undefined && !isScreen(shown)
  // The page stays where it is while somebody looks through another area.
  const hasPlace = !collapsed && current !== undefined && !isScreen(current)
  const close = () => choose(undefined)
  return (
    <nav className="navigation" ref={frame} aria-label={t('shell.menu.main')}>
      {layout === 'side' && (
        <Rail
          areas={areas}
          current={current}
          shown={hasPanel ? shown : undefined}
          onShow={(area) => choose(area === shown && !hasPlace ? undefined : area)}
          onNavigate={close}
        />
      )}
      {areas.length === 1 && <p className="area-panel menu-empty">{t('shell.emptyMenu.text')}</p>}
      {hasPanel && <AreaPanel key={shown.node.id} area={shown} floating={!hasPlace} onNavigate={close} />}
    </nav>
  )
}

/** An area somebody looks through without leaving the page; gone with the next page, a click elsewhere and Escape. */
function useChosen() {
  const { pathname } = useLocation()
  const [state, setState] = useState<{ chosen: Area | undefined; at: string }>({ chosen: undefined, at: pathname })
  const frame = useRef<HTMLElement>(null)
  const chosen = state.at === pathname ? state.chosen : undefined
  const choose = (area: Area | undefined) => setState({ chosen: area, at: pathname })
  const leave = useEffectEvent(() => choose(undefined))
  useEffect(() => {
    if (chosen === undefined) return
    const outside = ({ target }: Event) => {
      if (target instanceof Node && frame.current?.contains(target) === false) leave()
    }
    const onKey = ({ key }: KeyboardEvent) => key === 'Escape' && leave()
    document.addEventListener('pointerdown', outside)
    document.addEventListener('keydown', onKey)
    return () => {
      document.removeEventListener('pointerdown', outside)
      document.removeEventListener('keydown', onKey)
    }
  }, [chosen])
  return { chosen, choose, frame }
}
