import { type ReactNode, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation } from 'react-router'
import { later } from '../later.tsx'
import { FloatingMenu } from '../menus/useMenu.tsx'
import { useNavigationMenu } from '../navigation/navigation.ts'
import { resolve } from '../navigation/resolve.ts'
import { allScreens } from '../screens.ts'
import { useSession } from '../session/session.ts'
import { useSettings } from '../settings/settings.ts'
import { Toasts } from '../Toasts.tsx'
import { announcerProps } from '../tabs/announce.ts'
import { askBeforeUnload } from '../tabs/dirty.ts'
import { LeaveDialog } from '../tabs/LeaveDialog.tsx'
import { TabBar } from '../tabs/TabBar.tsx'
import { TabHost } from '../tabs/TabHost.tsx'
import { Breadcrumb } from './Breadcrumb.tsx'
import { Header } from './Header.tsx'
import { MenuDrawer } from './MenuDrawer.tsx'
import { useMaximised } from './maximised.ts'
import { Navigation } from './Navigation.tsx'
import { OfflineBanner } from './OfflineBanner.tsx'
import { Overlays } from './Overlays.tsx'
import { PasswordBanner } from './PasswordBanner.tsx'
import { ProgressBar } from './ProgressBar.tsx'
import { useSmall } from './useSmall.ts'
import { watchViews } from './watchViews.ts'
import './layout.css'
import './navigation.css'

/** Header, menu, tabs, page: the frame every screen stands in. */
export function Layout() {
  const { t } = useTranslation()
  const { layout, tabs, breadcrumb, width } = useSettings()
  const maximised = useMaximised((state) => state.maximised)
  const [drawerOpen, setDrawerOpen] = useState(false)
  const blank = useIsBlank()
  const small = useSmall()
  const drawer = small && drawerOpen

  useEffect(askBeforeUnload, [])
  useEffect(FloatingMenu.soon, [])
  useEffect(watchViews, [])

  return (
    <>
      <button type="button" className="skip-link" onClick={skipToContent}>
        {t('shell.skip')}
      </button>
      <ProgressBar />
      <div
        className="shell"
        data-layout={layout}
        data-width={width}
        data-bare={blank || maximised}
        data-drawer={drawer}
      >
        <div className="shell-top" inert={drawer}>
          <Header onOpenMenu={() => setDrawerOpen(true)} />
        </div>
        <div className="shell-body">
          {small ? (
            <MenuDrawer open={drawer} onClose={() => setDrawerOpen(false)} />
          ) : (
            layout !== 'top' && <Navigation />
          )}
          <div className="shell-main" inert={drawer}>
            <OfflineBanner />
            <PasswordBanner />
            {tabs && <TabBar />}
            <main id="content" className="shell-content" tabIndex={-1}>
              <Marked>
                {breadcrumb && <Breadcrumb />}
                <div className="tab-panes">
                  <TabHost />
                </div>
              </Marked>
            </main>
          </div>
        </div>
      </div>
      <p {...announcerProps} />
      <Toasts />
      <LeaveDialog />
      <Overlays />
    </>
  )
}

/** A button, because a link with a hash would count as another place of the same page. */
function skipToContent(): void {
  document.getElementById('content')?.focus()
}

function useIsBlank(): boolean {
  const { pathname } = useLocation()
  const routes = useNavigationMenu((navigation) => navigation.routes)
  const here = resolve(pathname, { screens: allScreens, routes })
  return here.kind === 'screen' && here.screen.layout === 'blank'
}

const Mark = later(async () => (await import('./Mark.tsx')).Mark)

/** The name of who looks, across what they look at, when the settings ask for it. */
function Marked({ children }: { children: ReactNode }) {
  const on = useSettings((settings) => settings.watermark)
  const user = useSession((state) => state.session?.user)
  const text = on && user !== undefined ? [user.realName, user.username] : ''
  return (
    <div className="shell-marked">
      {children}
      {text !== '' && <Mark text={text} />}
    </div>
  )
}
