import type { pollScanLogin, startScanLogin } from '@campanile/contract/identity'
import type { AnswerOf } from '@campanile/contract/kit'
import { toString as toSvg } from 'qrcode'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../api.ts'
import { describeError } from '../errorText.ts'
import { useRuntime } from '../runtime.ts'
import { Agreement } from './Agreement.tsx'
import { useArrival } from './useArrival.ts'

type Answer = AnswerOf<typeof pollScanLogin>
type Progress = Answer['state']

const askEveryMs = 2_000

/** A one-time picture that a phone already signed in confirms. */
export default function ScanCode() {
  const { t } = useTranslation()
  const on = useRuntime((runtime) => runtime.scanLogin)
  const [agreed, setAgreed] = useState(false)
  if (!on) return <p className="way-off">{t('signIn.scanOff')}</p>
  return (
    <div className="sign-in-form">
      <Agreement agreed={agreed} onChange={setAgreed} />
      {agreed ? <Picture /> : <p className="way-off">{t('signIn.agreementRequired')}</p>}
    </div>
  )
}

function Picture() {
  const { t } = useTranslation()
  const arrive = useArrival()
  const [round, setRound] = useState(0)
  const [code, setCode] = useState<{ image: string; ticket: string }>()
  const [progress, setProgress] = useState<Progress | 'failed'>('waiting')
  const [refusal, setRefusal] = useState<unknown>()

  // biome-ignore lint/correctness/useExhaustiveDependencies: each round is a new picture
  useEffect(() => {
    let current = true
    setProgress('waiting')
    setRefusal(undefined)
    const draw = async () => {
      const { ticket, url } = await api.call<AnswerOf<typeof startScanLogin>>('POST', '/api/v1/scanLogin')
      const svg = await toSvg(new URL(url, window.location.origin).href, { type: 'svg', margin: 1 })
      if (current) setCode({ ticket, image: `data:image/svg+xml;utf8,${encodeURIComponent(svg)}` })
    }
    draw().catch(() => current && setProgress('failed'))
    return () => {
      current = false
    }
  }, [round])

  const ticket = code?.ticket
  const waiting = progress === 'waiting'
  // biome-ignore lint/correctness/useExhaustiveDependencies: arriving must not restart the questions
  useEffect(() => {
    if (ticket === undefined || !waiting) return
    const timer = setInterval(async () => {
      try {
        const { state, token, user } = await api.call<Answer>('POST', '/api/v1/scanLogin/poll', { body: { ticket } })
        setProgress(state)
        if (token !== undefined && user !== undefined) arrive({ token, user }, user.username)
      } catch (error) {
        setRefusal(error)
        setProgress('failed')
      }
    }, askEveryMs)
    return () => clearInterval(timer)
  }, [ticket, waiting])

  return (
    <div className="scan">
      {code !== undefined && <img src={code.image} alt={t('signIn.scanPicture')} data-faded={!waiting} />}
      <p role="status">{refusal !== undefined ? describeError(refusal).text : t(`signIn.scan.${progress}`)}</p>
      {!waiting && progress !== 'confirmed' && (
        <button type="button" className="secondary" onClick={() => setRound(round + 1)}>
          {t('signIn.scanAgain')}
        </button>
      )}
    </div>
  )
}
