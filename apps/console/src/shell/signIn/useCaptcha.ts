import type { captcha as captchaEndpoint } from '@campanile/contract/identity'
import type { AnswerOf } from '@campanile/contract/kit'
import { useCallback, useEffect, useState } from 'react'
import { api } from '../api.ts'

type Captcha =
  | { state: 'loading' }
  | { state: 'off' }
  | { state: 'failed' }
  | { state: 'shown'; uuid: string; image: string }

/** The verification picture: a new one at the start, on request, and after each failure. */
export function useCaptcha() {
  const [captcha, setCaptcha] = useState<Captcha>({ state: 'loading' })

  const renew = useCallback(async () => {
    setCaptcha((now) => (now.state === 'off' ? now : { state: 'loading' }))
    try {
      const { uuid, image } = await api.call<AnswerOf<typeof captchaEndpoint>>('GET', '/api/v1/captcha')
      const hasPicture = uuid !== undefined && image !== undefined
      setCaptcha(hasPicture ? { state: 'shown', uuid, image } : { state: 'off' })
    } catch {
      setCaptcha({ state: 'failed' })
    }
  }, [])

  useEffect(() => void renew(), [renew])

  return { captcha, renew }
}
