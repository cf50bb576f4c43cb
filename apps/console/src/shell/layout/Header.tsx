import { Tooltip } from 'antd'
import { lazy, type ReactNode, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { Icon } from '../icons.tsx'
import { languageNames, languages } from '../language.ts'
import type { Later } from '../later.tsx'
import { MenuButton } from '../menus/MenuButton.tsx'
import { NotificationBell } from '../notifications/NotificationBell.tsx'
import { OrganisationSwitcher } from '../organisations/OrganisationSwitcher.tsx'
import { openPalette } from '../palette/paletteState.ts'
import { openSettings, SettingsDrawer } from '../settings/drawerState.ts'
import { useSettings } from '../settings/settings.ts'
import { Brand } from '../signIn/Brand.tsx'
import { changeLanguage } from '../texts.ts'
import { AccountMenu } from './AccountMenu.tsx'
import { toggleFullScreen, useIsFullScreen } from './fullScreen.ts'

// Only some choose this layout, and it brings Ant Design's menu.
const TopMenu = lazy(async () => ({ default: (await import('./TopMenu.tsx')).TopMenu }))

const isMac = /Mac|iPhone|iPad/.test(navigator.userAgent)
const paletteKeys = isMac ? '⌘ K' : 'Ctrl K'

export function Header({ onOpenMenu }: { onOpenMenu: () => void }) {
  const { t, i18n } = useTranslation()
  const layout = useSettings((settings) => settings.layout)
  const fullScreen = useIsFullScreen()
  return (
    <header className="header">
      <button
        type="button"
        className="icon-button header-burger"
        aria-label={t('shell.menu.open')}
        onClick={onOpenMenu}
      >
        <Icon name="menu" size={18} />
      </button>
      <div className="header-brand">
        <Brand />
      </div>
      <OrganisationSwitcher />
      {layout !== 'side' && (
        <Suspense fallback={<div className="top-menu" />}>
          <TopMenu areasOnly={layout === 'mix'} />
        </Suspense>
      )}
      <button
        type="button"
        className="header-search"
        onClick={openPalette}
        // Everything that is seen on it is part of what it is called; on narrow screens only the icon is seen.
        aria-label={`${t('shell.palette.placeholder')} ${paletteKeys}`}
        aria-keyshortcuts="Control+K Meta+K"
      >
        <Icon name="search" />
        <span>{t('shell.palette.placeholder')}</span> <kbd>{paletteKeys}</kbd>
      </button>
      <div className="header-tools">
        <NotificationBell />
        <MenuButton
          className="icon-button header-wide"
          aria-label={t('signIn.language')}
          content={{
            items: languages.map((language) => ({ key: language, label: languageNames[language] })),
            selected: [i18n.language],
            choose: (key) => changeLanguage(languages.find((language) => language === key) ?? 'en'),
          }}
        >
          <Icon name="globe" />
        </MenuButton>
        <Tool label={t(fullScreen ? 'shell.fullScreen.leave' : 'shell.fullScreen.enter')} onClick={toggleFullScreen}>
          <Icon name={fullScreen ? 'shrink' : 'expand'} />
        </Tool>
        <Tool label={t('shell.settings.title')} onClick={openSettings} near={SettingsDrawer.near}>
          <Icon name="system" />
        </Tool>
        <AccountMenu />
      </div>
    </header>
  )
}

interface ToolProps {
  label: string
  onClick: () => void
  near?: Later<never>['near']
  children: ReactNode
}

function Tool({ label, onClick, near, children }: ToolProps) {
  return (
    <Tooltip title={label}>
      <button {...near} type="button" className="icon-button header-wide" aria-label={label} onClick={onClick}>
        {children}
      </button>
    </Tooltip>
  )
}
