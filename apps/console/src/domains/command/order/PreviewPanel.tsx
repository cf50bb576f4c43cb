import { type CommandName, commands } from '@campanile/contract/command'
import { useTranslation } from 'react-i18next'
import { DeviceLink } from '../../../kit/DeviceLink.tsx'
import { StateMark } from '../../../kit/index.ts'
import { Countdown } from './Countdown.tsx'
import type { Preview } from './useOrder.ts'
import './order.css'

const inSight = 100

/** Who will be hit, who has to wait and who is refused and why, before anything is sent. */
export function PreviewPanel({
  command,
  preview,
}: {
  command: CommandName
  preview: Pick<Preview, 'total' | 'online' | 'refused'>
}) {
  const { t, i18n } = useTranslation()
  const number = new Intl.NumberFormat(i18n.language)
  const { total, online, refused } = preview
  const { waitMinutes } = commands[command]
  const hit = total - refused.length
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
        {refused.length > 0 && (
          <StateMark tone="bad">
            {t('command.preview.refused', { count: refused.length, shown: number.format(refused.length) })}
          </StateMark>
        )}
      </p>
      {refused.length > 0 && (
        <ul className="order-refused" aria-label={t('command.preview.refusedList')}>
          {refused.slice(0, inSight).map(({ sn, code, message, until }) => (
            <li key={sn}>
              <DeviceLink sn={sn} />
              <span>
                {message} ({code}){until !== undefined && <Countdown until={until} />}
              </span>
            </li>
          ))}
          {refused.length > inSight && (
            <li className="quiet">{t('command.preview.more', { shown: number.format(refused.length - inSight) })}</li>
          )}
        </ul>
      )}
    </section>
  )
}
