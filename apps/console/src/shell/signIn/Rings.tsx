import { useEffect, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { loadRuntime, useRuntime } from '../runtime.ts'
import { currentLanguage } from '../texts.ts'
import { Brand } from './Brand.tsx'
import { placeDots, ringRadii, stillDots } from './dots.ts'
import { Tower } from './Tower.tsx'

const refreshEveryMs = 30_000

/** The left half: the tower, its rings, and a dot for each device that is online now, if the installation allows it. */
export function Rings() {
  const { t } = useTranslation()
  const { allowOnlineCount, onlineCount } = useRuntime()
  const online = allowOnlineCount ? onlineCount : null
  const dots = useMemo(() => (online === null ? stillDots : placeDots(online)), [online])

  useEffect(() => {
    if (!allowOnlineCount) return
    const timer = setInterval(loadRuntime, refreshEveryMs)
    return () => clearInterval(timer)
  }, [allowOnlineCount])

  return (
    <div className="rings">
      <Brand />
      <svg
        className="rings-picture"
        viewBox="-385 -530 770 900"
        preserveAspectRatio="xMidYMid slice"
        aria-hidden="true"
      >
        {ringRadii.map((radius, index) => (
          <circle key={radius} r={radius} className="ring" opacity={Math.max(0.12, 0.42 - index * 0.045)} />
        ))}
        {dots.map((dot, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a dot has no identity but its place in the order
          <circle key={index} cx={dot.x} cy={dot.y} r={dot.r} className={`dot dot-${dot.tone}`} />
        ))}
        <g transform="translate(-64 -64)" className="rings-tower">
          <Tower size={128} />
        </g>
      </svg>
      <div className="rings-words">
        <p className="rings-claim">{t('signIn.claim')}</p>
        {online !== null && (
          <p className="rings-count">
            {t('signIn.onlineNow', { count: online, figure: online.toLocaleString(currentLanguage()) })}
          </p>
        )}
      </div>
    </div>
  )
}
