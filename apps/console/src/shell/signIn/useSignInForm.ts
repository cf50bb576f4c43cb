import { isApiError } from '@campanile/client'
import i18next from 'i18next'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { describeError } from '../errorText.ts'
import { useArrival } from './useArrival.ts'
import { useCaptcha } from './useCaptcha.ts'

const wrongCaptcha = 21001

/** What is wrong, by the name of the field; `form` is about all of it. Said anew when the language changes. */
export type Faults = Readonly<Record<string, () => string>>

/** What every way of signing in by a form shares: the picture, the agreement, and how a refusal is shown. */
export function useSignInForm() {
  useTranslation()
  const arrive = useArrival()
  const { captcha, renew } = useCaptcha()
  const [code, setCode] = useState('')
  const [agreed, setAgreed] = useState(false)
  const [faults, setFaults] = useState<Faults>({})
  const [busy, setBusy] = useState(false)
  const element = useRef<HTMLFormElement>(null)

  const goTo = (name: string) => {
    const input = element.current?.querySelector<HTMLInputElement>(`[name=${name}]`)
    input?.focus()
    input?.select()
  }

  /** Runs only when nothing is wrong; else leads to the first field that is. A refusal leads to what to type again. */
  const attempt = async (found: Faults, work: () => Promise<void>, retype?: string): Promise<void> => {
    if (busy) return
    setFaults(found)
    const first = Object.keys(found)[0]
    if (first !== undefined) return goTo(first)
    setBusy(true)
    try {
      await work()
    } catch (error) {
      if (!isApiError(error)) throw error
      const aboutCode = error.code === wrongCaptcha
      setFaults({ [aboutCode ? 'code' : 'form']: () => describeError(error).text })
      setCode('')
      void renew()
      const again = aboutCode ? 'code' : retype
      if (again !== undefined) goTo(again)
    } finally {
      setBusy(false)
    }
  }

  const said: Readonly<Record<string, string>> = Object.fromEntries(
    Object.entries(faults).map(([name, say]) => [name, say()]),
  )
  return {
    element,
    faults: said,
    busy,
    agreement: { agreed, onChange: setAgreed, error: said.agreed },
    captcha: { captcha, renew, value: code, onChange: setCode, error: said.code },
    /** The code of the picture, as the server wants it. */
    proof: { uuid: captcha.state === 'shown' ? captcha.uuid : '', code: code.trim() },
    codeFault: captcha.state !== 'off' && code.trim() === '' ? { code: () => i18next.t('signIn.codeRequired') } : {},
    agreementFault: agreed ? {} : { agreed: () => i18next.t('signIn.agreementRequired') },
    attempt,
    arrive,
  }
}
