import { useCallback, useEffect, useState } from 'react'
import { api } from '../api.ts'

type Picture = { uuid: string; image: string }
type Captcha = { state: 'loading' } | { state: 'off' } | { state: 'failed' } | ({ state: 'shown' } & Picture)

/** The verification picture: a new one at the start, on request, and after each failure. */
export function useCaptcha() {
  const [captcha, setCaptcha] = useState<Captcha>({ state: 'loading' })

  const renew = useCallback(async () => {
    setCaptcha((now) => (now.state === 'off' ? now : { state: 'loading' }))
    try {
      const answer = await api.call<Picture | { enabled: false }>('GET', '/api/v1/captcha')
      setCaptcha('enabled' in answer ? { state: 'off' } : { state: 'shown', ...answer })
    } catch {
      setCaptcha({ state: 'failed' })
    }
  }, [])

  useEffect(() => void renew(), [renew])

  return { captcha, renew }
}
