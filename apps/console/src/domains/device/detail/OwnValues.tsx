import { type DeviceDetail, device } from '@campanile/contract/device'
import { Time, useReader } from '../../../kit/index.ts'
import { isAway, ownValueText } from './values.ts'

/** What the device tells by names of its own, in the order of these names. */
export function OwnValues({ detail }: { detail: DeviceDetail }) {
  const reader = useReader(device)
  const { t } = reader
  const away = isAway(detail)
  const own = Object.entries(detail.own).sort(([a], [b]) => a.localeCompare(b))
  if (own.length === 0) return null
  return (
    <section className="card facts-card" data-old={away}>
      <h2>{t('deviceDetail.own')}</h2>
      <dl className="facts">
        {own.map(([name, { value, ts, received }]) => (
          <div key={name}>
            <dt className="mono">{name}</dt>
            <dd>
              <span className="old-value">{ownValueText(value, reader)}</span>
              {(away || received) && (
                <span className="quiet">
                  {' · '}
                  {received && `${t('deviceDetail.clock.received')} `}
                  <Time value={ts} reader={reader} />
                </span>
              )}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
