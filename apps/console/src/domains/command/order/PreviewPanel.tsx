import { type CommandName, commands, deviceTask, refusedIn } from '@campanile/contract/command'
import { useTranslation } from 'react-i18next'
import { DeviceLink } from '../../../kit/DeviceLink.tsx'
import { StateMark, useReader } from '../../../kit/index.ts'
import { Countdown } from './Countdown.tsx'
import type { Preview } from './useOrder.ts'
import './order.css'

/** Who will be hit, who has to wait and who is refused and why, before anything is sent. */
export function PreviewPanel({
  command,
  preview,
}: {
  command: CommandName
  preview: Pick<Preview, 'receiving' | 'online' | 'refused'>
}) {
  const { t, i18n } = useTranslation()
  const reader = useReader(deviceTask)
  const number = new Intl.NumberFormat(i18n.language)
  const { receiving: hit, online, refused } = preview
  const { waitMinutes } = commands[command]
  const out = refusedIn(refused)
  return (
    <section className="order-preview" aria-label={t('command.preview.title')}>
      <p role="status" className="order-hit">
        <strong>{t('command.preview.hit', { count: hit, shown: number.format(hit) })}</strong>
        <StateMark tone="good">{t('command.preview.online', { shown: number.format(online) })}</StateMark>
        {hit > online && (
          <StateMark tone="off">
            {t(`command.preview.${waitMinutes < 60 ? 'offlineShortly' : 'offline'}`, {
              shown: number.format(hit - online),
              hours: waitMinutes / 60,
              minutes: waitMinutes,
            })}
          </StateMark>
        )}
        {out > 0 && (
          <StateMark tone="bad">{t('command.preview.refused', { count: out, shown: number.format(out) })}</StateMark>
        )}
      </p>
      {refused.length > 0 && (
        <ul className="order-refused" aria-label={t('command.preview.refusedList')}>
          {refused.map(({ code, message, count, sns, until }) => (
            <li key={code}>
              <span className="order-refused-devices">
                {sns.map((sn) => (
                  <DeviceLink key={sn} sn={sn} />
                ))}
                {count > sns.length && (
                  <span className="quiet">
                    {t('command.preview.more', { shown: number.format(count - sns.length) })}
                  </span>
                )}
              </span>
              <span>
                {(count > 1 && reader.maybe(`command.refusal.${code}`)) || message} ({code})
                {until !== undefined && <Countdown until={until} />}
              </span>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
