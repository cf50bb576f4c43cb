import type { SignedIn } from '@campanile/contract/identity'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { api } from '../api.ts'
import { showError, toast } from '../feedback.ts'
import { loadNavigation, useNavigationMenu } from '../navigation/navigation.ts'
import { resolve } from '../navigation/resolve.ts'
import { queryClient } from '../queryClient.ts'
import { allScreens } from '../screens.ts'
import { currentSession, isBoundHere, openSession } from '../session/session.ts'
import { askToLeave } from '../tabs/ask.ts'
import { anyDirty, forgetAllDirty } from '../tabs/dirty.ts'
import { startOver } from '../tabs/tabState.ts'
import { changeTabs } from '../tabs/tabStore.ts'
import { type Organisation, rememberOrganisation } from './organisation.ts'

/** A page about one particular thing need not exist elsewhere; lists start over. */
function staysValid(path: string): boolean {
  const found = resolve(path, { screens: allScreens, routes: useNavigationMenu.getState().routes })
  return found.kind === 'screen' && Object.keys(found.params).length === 0
}

/** Operates on another organisation, or on one's own again: other rows, other rights, lists from the start. */
export function useSwitchOrganisation() {
  const { t } = useTranslation()
  const navigate = useNavigate()

  const settle = async (name: string) => {
    forgetAllDirty()
    await loadNavigation()
    queryClient.clear()
    const { activeKey } = changeTabs((state) => startOver(state, staysValid))
    await navigate(activeKey ?? '/home', { replace: true })
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

  const backToOwn = () =>
    attempt(async () => {
      const session = currentSession()
      if (session?.originToken === undefined) return
      const user = { ...session.user, operating: null }
      openSession({ token: session.originToken, user })
      await settle(user.departmentName)
    })

  const operateOn = (organisation: Organisation) =>
    attempt(async () => {
      const session = currentSession()
      if (session === undefined) return
      if (isBoundHere(session)) return toast.warning(t('shell.organisation.onlyThis'))
      if (organisation.id === session.user.departmentId) return backToOwn()
      const body = { departmentId: organisation.id }
      const answer = await api.call<SignedIn>('POST', '/api/v1/oauth/login/single', {
        body,
        origin: true,
      })
      openSession({ ...answer, originToken: session.originToken ?? session.token })
      rememberOrganisation(organisation)
      await settle(organisation.name)
    })

  /** After something that left the organisation by itself. */
  const settleAtOwn = () => settle(currentSession()?.user.departmentName ?? '')

  return { operateOn, backToOwn, settleAtOwn }
}
