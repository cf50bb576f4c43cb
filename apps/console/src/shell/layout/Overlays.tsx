import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { watchConnection } from '../connection.ts'
import { showError } from '../feedback.ts'
import { Icon } from '../icons.tsx'
import { type Later, later } from '../later.tsx'
import { startLive } from '../live.ts'
import { loadNavigation } from '../navigation/navigation.ts'
import { closeNotifications, NotificationDrawer, useNotificationDrawer } from '../notifications/drawerState.ts'
import { closePalette, usePalette } from '../palette/paletteState.ts'
import { useServingNews } from '../serving.ts'
import { keepSessionAlive } from '../session/keepAlive.ts'
import { useSession, watchOtherWindows } from '../session/session.ts'
import { offerSignBackIn, useSignBackIn } from '../session/signBackIn.ts'
import { useReturnOffer } from '../session/useReturnOffer.ts'
import { closeSettings, SettingsDrawer, useSettingsDrawer } from '../settings/drawerState.ts'
import { closeShortcutHelp, ShortcutHelp, useShortcutHelp } from '../shortcuts/helpState.ts'
import { useShortcuts } from '../shortcuts/useShortcuts.ts'
import { leaveOnPurpose } from '../tabs/leaving.ts'
import { setMaximised, useMaximised } from './maximised.ts'

const Palette = later(async () => (await import('../palette/Palette.tsx')).Palette, ['palette', 'settings'])

const SignBackIn = later(async () => (await import('../session/SignBackIn.tsx')).SignBackIn)

/** A session often ends because its person's roles have changed: what they may do is asked anew, the pages stay. */
function readRights(): void {
  loadNavigation().catch(showError)
}

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
  useServingNews()
  const expired = useSession((state) => state.session?.user.isExpired === true)
  useEffect(() => (expired ? undefined : startLive()), [expired])
  useEffect(watchConnection, [])
  useEffect(() => offerSignBackIn(readRights), [])
  const ended = useSignBackIn((state) => state.question)
  useEffect(keepSessionAlive, [])
  useEffect(() => watchOtherWindows(reload), [])
  return (
    <>
      {ended && <SignBackIn onClose={() => ended.answer(false)} />}
      {paletteOpen && <Palette onClose={closePalette} />}
      <Kept part={SettingsDrawer} use={useSettingsDrawer} onClose={closeSettings} />
      <Kept part={NotificationDrawer} use={useNotificationDrawer} onClose={closeNotifications} />
      <Kept part={ShortcutHelp} use={useShortcutHelp} onClose={closeShortcutHelp} />
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

interface KeptProps {
  part: Later<{ open: boolean; onClose: () => void }>
  use: <T>(read: (state: { open: boolean }) => T) => T
  onClose: () => void
}

/** Comes when it is first opened and stays, closed, so that closing it hands the focus back. */
function Kept({ part: Part, use, onClose }: KeptProps) {
  const open = use((state) => state.open)
  const [wanted, setWanted] = useState(open)
  if (open && !wanted) setWanted(true)
  return wanted && <Part open={open} onClose={onClose} />
}
