import { lazy, Suspense, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { safeRedirect } from '../session/returnOffer.ts'
import { AccountForm } from './AccountForm.tsx'
import { Frame } from './Frame.tsx'
import { MobileForm } from './MobileForm.tsx'
import { prepareNext } from './prepareNext.ts'

const ScanCode = lazy(() => import('./ScanCode.tsx'))

const ways = ['account', 'mobile', 'scan'] as const
type Way = (typeof ways)[number]

export default function SignInPage() {
  const { t } = useTranslation()
  const [way, setWay] = useState<Way>('account')
  const [params] = useSearchParams()
  const target = safeRedirect(params.get('redirect'))
  useEffect(() => void prepareNext(target), [target])
  const step = (by: number) => {
    const next = ways[(ways.indexOf(way) + by + ways.length) % ways.length] ?? 'account'
    setWay(next)
    document.getElementById(`way-${next}`)?.focus()
  }
  return (
    <Frame title={t('signIn.title')}>
      <div
        role="tablist"
        aria-label={t('signIn.title')}
        className="ways"
        onKeyDown={(event) => {
          if (event.key === 'ArrowRight') step(1)
          if (event.key === 'ArrowLeft') step(-1)
        }}
      >
        {ways.map((each) => (
          <button
            key={each}
            id={`way-${each}`}
            type="button"
            role="tab"
            aria-selected={way === each}
            aria-controls="way"
            tabIndex={way === each ? 0 : -1}
            onClick={() => setWay(each)}
          >
            {t(`signIn.way.${each}`)}
          </button>
        ))}
      </div>
      <div role="tabpanel" id="way" aria-labelledby={`way-${way}`}>
        {way === 'account' && <AccountForm />}
        {way === 'mobile' && <MobileForm />}
        {way === 'scan' && (
          <Suspense fallback={<div className="scan" />}>
            <ScanCode />
          </Suspense>
        )}
      </div>
    </Frame>
  )
}
