import type { PendingTwoFactor, SignedIn } from '@campanile/contract/identity'
import { useNavigate, useSearchParams } from 'react-router'
import { forgetPendingLogin, rememberPendingLogin, rememberSetUp } from '../session/pendingLogin.ts'
import { safeRedirect } from '../session/returnOffer.ts'
import { openSession } from '../session/session.ts'

export type LoginAnswer = SignedIn | PendingTwoFactor

/** What follows a right password: the second step when there is one, else the console. */
export function useArrival(): (answer: LoginAnswer, username: string) => void {
  const navigate = useNavigate()
  const [params] = useSearchParams()
  const redirect = safeRedirect(params.get('redirect'))
  return (answer, username) => {
    if ('enable2fa' in answer) {
      const { ticket, setup } = answer
      rememberPendingLogin({ ticket, username, since: Date.now(), redirect, settingUp: setup !== undefined })
      rememberSetUp(setup)
      navigate('/login/2fa')
      return
    }
    forgetPendingLogin()
    openSession(answer)
    navigate(redirect, { replace: true })
  }
}
