import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'

/** How long it has to be left in peace (behaviour: commands.peace). */
export function Countdown({ until }: { until: string }) {
  const { t } = useTranslation()
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000)
    return () => clearInterval(timer)
  }, [])
  const seconds = Math.max(0, Math.ceil((Date.parse(until) - now) / 1_000))
  const clock = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
  return (
    <span className="figure quiet">
      {' '}
      · {seconds === 0 ? t('command.preview.nowAgain') : t('command.preview.wait', { clock })}
    </span>
  )
}
