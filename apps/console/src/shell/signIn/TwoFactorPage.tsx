import { isApiError } from '@campanile/client'
import type { SignedIn } from '@campanile/contract/identity'
import i18next from 'i18next'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useNavigate } from 'react-router'
import { saveBlob } from '../../kit/transfer/saveBlob.ts'
import { api } from '../api.ts'
import { describeError } from '../errorText.ts'
import { toast } from '../feedback.ts'
import { later } from '../later.tsx'
import { forgetPendingLogin, readPendingLogin, readSetUp } from '../session/pendingLogin.ts'
import { openSession } from '../session/session.ts'
import { Field } from './Field.tsx'
import { Frame } from './Frame.tsx'

const SetUpSecret = later(async () => (await import('./SetUpSecret.tsx')).SetUpSecret)

const digits = 6
/** Timed out or locked: there is nothing more to type here. */
const over: readonly number[] = [21003, 21014, 21016]

/** The second step, or setting it up. Six digits submit themselves; a recovery code is typed whole. */
export default function TwoFactorPage() {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const [pending] = useState(() => readPendingLogin())
  const [setUp] = useState(() => (pending?.settingUp ? readSetUp() : undefined))
  const [arrived, setArrived] = useState<{ answer: SignedIn; redirect: string }>()
  const [code, setCode] = useState('')
  const [recovery, setRecovery] = useState(false)
  const [fault, setFault] = useState<() => string>()
  const [busy, setBusy] = useState(false)
  const input = useRef<HTMLInputElement>(null)

  // biome-ignore lint/correctness/useExhaustiveDependencies: the other kind of code starts in an empty, focused field
  useEffect(() => input.current?.focus(), [recovery])

  const lost = pending?.settingUp === true && setUp === undefined
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked once, when the page opens
  useEffect(() => {
    if (lost) backToStart()
  }, [lost])

  const enter = ({ answer, redirect }: { answer: SignedIn; redirect: string }) => {
    openSession(answer)
    navigate(redirect, { replace: true })
  }

  const backToStart = () => {
    forgetPendingLogin()
    navigate('/login?redirect=/home', { replace: true })
  }

  const send = async (value: string) => {
    const now = readPendingLogin()
    if (now === undefined) {
      toast.warning(t('signIn.twoFactorTimedOut'))
      return backToStart()
    }
    setBusy(true)
    setFault(undefined)
    try {
      const body = { ticket: now.ticket, code: value }
      const answer = await api.call<SignedIn>('POST', '/api/v1/loginWith2Fa', { body })
      const arrival = { answer, redirect: now.redirect }
      // Until they are kept nobody is let past them: they are shown this once.
      if (answer.recoveryCodes) return setArrived(arrival)
      forgetPendingLogin()
      enter(arrival)
    } catch (error) {
      if (!isApiError(error)) throw error
      if (over.includes(error.code)) {
        toast.warning(describeError(error).text)
        return backToStart()
      }
      setCode('')
      setFault(() => () => describeError(error).text)
      input.current?.focus()
    } finally {
      setBusy(false)
    }
  }

  const type = (value: string) => {
    if (recovery) return setCode(value)
    const kept = value.replace(/\D/g, '').slice(0, digits)
    setCode(kept)
    if (kept.length === digits && !busy) void send(kept)
  }

  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (busy) return
    const complete = recovery ? code.trim() !== '' : code.length === digits
    if (complete) void send(code.trim())
    else setFault(() => () => i18next.t(recovery ? 'signIn.recoveryRequired' : 'signIn.sixDigits'))
  }

  const recoverySheet = (arrived?.answer.recoveryCodes ?? []).join('\n')
  if (arrived)
    return (
      <Frame title={t('signIn.recoveryTitle')}>
        <p className="sign-in-lead">{t('signIn.recoveryLead')}</p>
        <ol className="sign-in-codes mono">
          {arrived.answer.recoveryCodes?.map((each) => (
            <li key={each}>{each}</li>
          ))}
        </ol>
        <div className="sign-in-ways-out">
          {navigator.clipboard && (
            <button
              type="button"
              className="link"
              onClick={async () => {
                await navigator.clipboard.writeText(recoverySheet)
                toast.success(t('signIn.recoveryCopied'))
              }}
            >
              {t('signIn.recoveryCopy')}
            </button>
          )}
          <button
            type="button"
            className="link"
            onClick={() => saveBlob(new Blob([recoverySheet], { type: 'text/plain' }), 'recovery-codes.txt')}
          >
            {t('signIn.recoveryDownload')}
          </button>
        </div>
        <button
          type="button"
          className="primary"
          onClick={() => {
            forgetPendingLogin()
            enter(arrived)
          }}
        >
          {t('signIn.recoveryKept')}
        </button>
      </Frame>
    )

  const username = pending?.username ?? ''
  return (
    <Frame title={t(setUp ? 'signIn.setUp' : 'signIn.twoFactor')}>
      <form onSubmit={submit} noValidate className="sign-in-form">
        <p className="sign-in-lead">{t(setUp ? 'signIn.setUpLead' : 'signIn.twoFactorLead', { username })}</p>
        {setUp && <SetUpSecret {...setUp} />}
        <Field
          key={String(recovery)}
          label={t(recovery ? 'signIn.recoveryCode' : 'signIn.twoFactorCode')}
          name="otp"
          className={recovery ? 'mono' : 'sign-in-code'}
          inputMode={recovery ? 'text' : 'numeric'}
          autoComplete="one-time-code"
          spellCheck={false}
          value={code}
          onChange={(event) => type(event.target.value)}
          error={fault?.()}
          inputRef={input}
        />
        <button type="submit" className="primary" aria-busy={busy}>
          {t(busy ? 'signIn.busy' : 'signIn.verify')}
        </button>
        <div className="sign-in-ways-out">
          {!setUp && (
            <button
              type="button"
              className="link"
              onClick={() => {
                setRecovery(!recovery)
                setCode('')
                setFault(undefined)
              }}
            >
              {t(recovery ? 'signIn.useSixDigits' : 'signIn.useRecovery')}
            </button>
          )}
          <Link to="/login?redirect=/home" onClick={forgetPendingLogin}>
            {t('signIn.backToSignIn')}
          </Link>
        </div>
      </form>
    </Frame>
  )
}
