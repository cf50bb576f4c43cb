import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { notify } from '../feedback.ts'
import { useNavigationMenu } from '../navigation/navigation.ts'
import { resolve } from '../navigation/resolve.ts'
import { pageHere } from '../organisations/address.ts'
import { allScreens } from '../screens.ts'
import { takeReturnOffer } from './returnOffer.ts'
import { currentSession } from './session.ts'

const offerMs = 15_000

const isReachable = (path: string) =>
  resolve(path, { screens: allScreens, routes: useNavigationMenu.getState().routes }).kind === 'screen'

/** After a session that ended by itself: the way back to where the person was, if they may still go there. */
export function useReturnOffer(): void {
  const { t } = useTranslation()
  // biome-ignore lint/correctness/useExhaustiveDependencies: offered once, when the shell opens
  useEffect(() => {
    const session = currentSession()
    const offer = session && takeReturnOffer(session.user.uid)
    if (offer === undefined || offer.path === pageHere()) return
    if (!isReachable(offer.path.split('?')[0] ?? '')) return
    notify.offer(
      t('shell.return.text'),
      { label: t('shell.return.to', { title: offer.title }), to: offer.path },
      offerMs,
    )
  }, [])
}
