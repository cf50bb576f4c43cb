import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { notify } from '../feedback.ts'
import { useNavigationMenu } from '../navigation/navigation.ts'
import { resolve } from '../navigation/resolve.ts'
import { organisationHere, pageHere } from '../organisations/address.ts'
import { allScreens } from '../screens.ts'
import { takeReturnOffer, wayBack } from './returnOffer.ts'
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
    const way = offer && wayBack(offer, { path: pageHere(), organisation: organisationHere() })
    if (offer === undefined || way === undefined) return
    // What may be opened at another organisation is known there, and said there.
    if (!way.elsewhere && !isReachable(offer.path.split('?')[0] ?? '')) return
    const label = t('shell.return.to', { title: offer.title })
    const go = way.elsewhere ? { run: () => window.location.assign(way.address) } : { to: offer.path }
    notify.offer(t('shell.return.text'), { label, ...go }, offerMs)
  }, [])
}
