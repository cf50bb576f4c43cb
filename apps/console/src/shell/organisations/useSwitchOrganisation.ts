import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { showError, toast } from '../feedback.ts'
import { loadNavigation, useNavigationMenu } from '../navigation/navigation.ts'
import { resolve } from '../navigation/resolve.ts'
import { queryClient } from '../queryClient.ts'
import { allScreens } from '../screens.ts'
import { currentSession, isBoundHere, openSession, ownSession } from '../session/session.ts'
import { askToLeave } from '../tabs/ask.ts'
import { startOver } from '../tabs/tabState.ts'
import { changeTabs } from '../tabs/tabStore.ts'
import { anyDirty, forgetAllDirty } from '../tabs/unsaved.ts'
import { organisationHere } from './address.ts'
import { type Organisation, rememberOrganisation } from './organisation.ts'
import { enterOrganisation, moveWindow } from './window.ts'

/** A page about one particular thing need not exist elsewhere; lists start over. */
function staysValid(path: string): boolean {
  const found = resolve(path, { screens: allScreens, routes: useNavigationMenu.getState().routes })
  return found.kind === 'screen' && Object.keys(found.params).length === 0
}

/** Operates on another organisation, or on one's own again: other rows, other rights, lists from the start. */
export function useSwitchOrganisation() {
  const { t } = useTranslation()
  const navigate = useNavigate()

  const settle = async (name: string, to?: string) => {
    forgetAllDirty()
    await loadNavigation()
    queryClient.clear()
    const { activeKey } = changeTabs((state) => startOver(state, staysValid))
    const page = to ?? activeKey ?? '/home'
    const session = currentSession()
    const organisation = session?.originToken === undefined ? undefined : session.user.operating?.departmentId
    if (organisation !== organisationHere()) moveWindow(organisation, page)
    else await navigate(page, { replace: true })
    toast.success(t('shell.organisation.now', { name }))
  }

  const attempt = async (work: () => Promise<void>) => {
    if (anyDirty() && !(await askToLeave([]))) return
    try {
      await work()
    } catch (error) {
      showError(error)
    }
  }

  const backToOwn = (to?: string) =>
    attempt(async () => {
      const session = currentSession()
      if (session?.originToken === undefined) return
      const own = ownSession(session)
      openSession(own)
      await settle(own.user.departmentName, to)
    })

  /** `to`: a page to open there, instead of the one in front. */
  const operateOn = (organisation: Organisation, to?: string) =>
    attempt(async () => {
      const session = currentSession()
      if (session === undefined) return
      if (isBoundHere(session)) return toast.warning(t('shell.organisation.onlyThis'))
      if (organisation.id === session.user.departmentId) return backToOwn(to)
      await enterOrganisation(organisation.id)
      rememberOrganisation(organisation)
      await settle(organisation.name, to)
    })

  /** After something that left the organisation by itself. */
  const settleAtOwn = () => settle(currentSession()?.user.departmentName ?? '')

  return { operateOn, backToOwn, settleAtOwn }
}
