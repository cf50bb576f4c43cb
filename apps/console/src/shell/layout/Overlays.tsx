import { lazy, Suspense, useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { watchConnection } from '../connection.ts'
import { Icon } from '../icons.tsx'
import { startLive } from '../live.ts'
import { NotificationDrawer } from '../notifications/NotificationDrawer.tsx'
import { usePalette } from '../palette/paletteState.ts'
import { keepSessionAlive } from '../session/keepAlive.ts'
import { useSession, watchOtherWindows } from '../session/session.ts'
import { useReturnOffer } from '../session/useReturnOffer.ts'
import { SettingsDrawer } from '../settings/SettingsDrawer.tsx'
import { ShortcutHelp } from '../shortcuts/ShortcutHelp.tsx'
import { useShortcuts } from '../shortcuts/useShortcuts.ts'
import { leaveOnPurpose } from '../tabs/leaving.ts'
import { setMaximised, useMaximised } from './maximised.ts'

const Palette = lazy(() => import('../palette/Palette.tsx'))

function reload(): void {
  leaveOnPurpose()
  window.location.reload()
}

/** What floats above the layout, and what runs while it is there. */
export function Overlays() {
  const { t } = useTranslation()
  const paletteOpen = usePalette((state) => state.open)
  const maximised = useMaximised((state) => state.maximised)
  useShortcuts()
  useReturnOffer()
  const expired = useSession((state) => state.session?.user.isExpired === true)
  useEffect(() => (expired ? undefined : startLive()), [expired])
  useEffect(watchConnection, [])
  useEffect(keepSessionAlive, [])
  useEffect(() => watchOtherWindows(reload), [])
  return (
    <>
      {paletteOpen && (
        <Suspense>
          <Palette />
        </Suspense>
      )}
      <SettingsDrawer />
      <NotificationDrawer />
      <ShortcutHelp />
      {maximised && (
        <button
          type="button"
          className="icon-button leave-maximised"
          aria-label={t('shell.fullScreen.leave')}
          title={t('shell.fullScreen.leave')}
          onClick={() => setMaximised(false)}
        >
          <Icon name="shrink" />
        </button>
      )}
    </>
  )
}
