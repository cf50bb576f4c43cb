import { isApiError } from '@campanile/client'
import type { PendingTwoFactor, SignedIn } from '@campanile/contract/identity'
import { Button, Input, Modal } from 'antd'
import { type FormEvent, useEffect, useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api, apiAs } from '../api.ts'
import { describeError } from '../errorText.ts'
import { useCaptcha } from '../signIn/useCaptcha.ts'
import { currentSession, openSession, type Session } from './session.ts'
import { useSignBackIn } from './signBackIn.ts'
import './signBackIn.css'

/** Signed in as before: in the organisation that was being operated on, too. */
async function asBefore(answer: SignedIn, before: Session): Promise<Session | undefined> {
  if (answer.user.uid !== before.user.uid || answer.user.isExpired) return undefined
  const { operating } = before.user
  if (operating === null) return { token: answer.token, user: answer.user }
  const body = { departmentId: operating.departmentId }
  const there = await apiAs(answer.token).call<SignedIn>('POST', '/api/v1/oauth/login/single', { body })
  return { token: there.token, user: there.user, originToken: answer.token }
}

/** The password, asked for over the page as it stands, so that nothing half done is lost. */
export function SignBackIn(_: { onClose: () => void }) {
  const { t } = useTranslation()
  const question = useSignBackIn((state) => state.question)
  const [before] = useState(currentSession)
  const { captcha, renew } = useCaptcha()
  const [password, setPassword] = useState('')
  const [code, setCode] = useState('')
  const [pending, setPending] = useState<PendingTwoFactor>()
  const [second, setSecond] = useState('')
  const [fault, setFault] = useState<unknown>()
  const [busy, setBusy] = useState(false)
  const id = useId()
  const form = useRef<HTMLFormElement>(null)
  const pictured = captcha.state !== 'off'

  // biome-ignore lint/correctness/useExhaustiveDependencies: the second step begins in its own field
  useEffect(() => form.current?.querySelector('input')?.focus(), [pending])

  if (question === undefined || before === undefined) return null

  const enter = async (answer: SignedIn) => {
    const session = await asBefore(answer, before)
    if (session === undefined) return question.answer(false)
    openSession(session)
    question.answer(true)
  }
  const passwordStep = async () => {
    const proof = captcha.state === 'shown' ? { uuid: captcha.uuid, code: code.trim() } : {}
    const body = { ...proof, username: before.user.username, password }
    const answer = await api.call<SignedIn | PendingTwoFactor>('POST', '/api/v1/login', { body })
    if (!('enable2fa' in answer)) return enter(answer)
    // A second step that has yet to be set up takes a page of its own.
    if (answer.setup) return question.answer(false)
    setPending(answer)
  }
  const secondStep = async (ticket: string) =>
    enter(await api.call<SignedIn>('POST', '/api/v1/loginWith2Fa', { body: { ticket, code: second.trim() } }))

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (busy || (pending ? second : password).trim() === '') return
    setBusy(true)
    setFault(undefined)
    try {
      await (pending ? secondStep(pending.ticket) : passwordStep())
    } catch (error) {
      if (!isApiError(error)) throw error
      setFault(error)
      setCode('')
      setSecond('')
      void renew()
      form.current?.querySelector('input')?.focus()
    } finally {
      setBusy(false)
    }
  }

  return (
    <Modal
      open
      centered
      width={420}
      mask={{ blur: true }}
      closable={false}
      keyboard={false}
      title={t('shell.signBackIn.title')}
      footer={[
        <Button key="leave" onClick={() => question.answer(false)}>
          {t('shell.signBackIn.leave')}
        </Button>,
        <Button key="enter" type="primary" htmlType="submit" form={id} loading={busy}>
          {t('shell.signBackIn.submit')}
        </Button>,
      ]}
    >
      <form id={id} ref={form} className="sign-back-in" noValidate onSubmit={submit}>
        <p>{t('shell.signBackIn.text', { username: before.user.username })}</p>
        {fault !== undefined && (
          <p className="sign-back-in-fault" role="alert">
            {describeError(fault).text}
          </p>
        )}
        {pending ? (
          <>
            <label htmlFor={`${id}-second`}>{t('shell.signBackIn.second')}</label>
            <Input
              id={`${id}-second`}
              autoComplete="one-time-code"
              spellCheck={false}
              value={second}
              onChange={(event) => setSecond(event.target.value)}
            />
          </>
        ) : (
          <>
            <label htmlFor={`${id}-password`}>{t('signIn.password')}</label>
            <Input.Password
              id={`${id}-password`}
              autoComplete="current-password"
              value={password}
              onChange={(event) => setPassword(event.target.value)}
            />
            {pictured && (
              <>
                <label htmlFor={`${id}-code`}>{t('signIn.code')}</label>
                <div className="sign-back-in-code">
                  <Input
                    id={`${id}-code`}
                    autoComplete="off"
                    spellCheck={false}
                    value={code}
                    onChange={(event) => setCode(event.target.value)}
                  />
                  <button type="button" onClick={renew} title={t('signIn.renew')} aria-label={t('signIn.renew')}>
                    {captcha.state === 'shown' && <img src={captcha.image} alt="" />}
                    {captcha.state === 'failed' && t('signIn.captchaFailed')}
                  </button>
                </div>
              </>
            )}
          </>
        )}
      </form>
    </Modal>
  )
}
