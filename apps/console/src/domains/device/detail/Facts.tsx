import { type DeviceDetail, device } from '@campanile/contract/device'
import type { ReactNode } from 'react'
import { SoftTag, Time, useReader } from '../../../kit/index.ts'
import { clockOffsetText, isAway, isOld, type ValueName, valueText } from './values.ts'

/** Values that are no chart: the latest word of each. */
const plain: readonly ValueName[] = [
  'cpu',
  'memory',
  'battery',
  'signal',
  'uptime',
  'networkType',
  'ssid',
  'cpuTemperature',
  'disk',
  'voltage',
  'current',
  'robotState',
  'door',
  'printer',
  'cash',
]
const licenceTones = { active: 'good', expiring: 'warning', expired: 'bad' } as const

/** Everything that is known of a device beside what stands in large type, as plain facts; what is not known is not listed. What only it can know is old while it is away, and says from when. */
export function Facts({ detail, besides }: { detail: DeviceDetail; besides: readonly ValueName[] }) {
  const reader = useReader(device)
  const { t } = reader
  const { row, values } = detail
  const away = isAway(detail)
  const now = Date.now()
  const time = (value: string | null) => (value ? <Time value={value} reader={reader} /> : undefined)
  const mono = (value: string | null) => (value ? <span className="mono">{value}</span> : undefined)
  const told = (name: ValueName): [string, ReactNode] => {
    const value = values[name]
    return [
      t(`deviceDetail.value.${name}`),
      value && (
        <>
          <span className="old-value">{valueText(name, value.value, reader)}</span>
          {(away || value.received || isOld(value, now)) && (
            <span className="quiet">
              {' · '}
              {value.received && `${t('deviceDetail.clock.received')} `}
              <Time value={value.ts} reader={reader} />
            </span>
          )}
        </>
      ),
    ]
  }
  const { longitude, latitude, locationAccuracy } = values
  const place = longitude && latitude && (
    <>
      <span className="mono old-value">
        {Number(latitude.value).toFixed(5)}, {Number(longitude.value).toFixed(5)}
      </span>
      {locationAccuracy && (
        <span className="quiet"> ± {valueText('locationAccuracy', locationAccuracy.value, reader)}</span>
      )}
      <span className="quiet">
        {' · '}
        <Time value={latitude.ts} reader={reader} />
      </span>
    </>
  )
  const facts: [string, ReactNode][] = [
    [t('deviceDetail.fact.privateIp'), mono(detail.privateIp)],
    [t('deviceDetail.fact.publicIp'), mono(detail.publicIp)],
    [reader.field('imei'), mono(row.imei)],
    [reader.field('imsi'), mono(row.imsi)],
    [reader.field('firmwareVersion'), mono(row.firmwareVersion)],
    [reader.field('systemVersion'), row.systemVersion],
    [t('deviceDetail.fact.agent'), mono(detail.agent)],
    [reader.field('activationStatus'), reader.option('activationStatus', row.activationStatus)],
    [
      t('deviceDetail.fact.licence'),
      detail.licence && (
        <>
          <SoftTag tone={licenceTones[detail.licence.state as keyof typeof licenceTones]}>
            {t(`deviceDetail.licence.${detail.licence.state}`)}
          </SoftTag>
          <span className="figure">{detail.licence.expiry}</span>
        </>
      ),
    ],
    [reader.field('groupName'), row.groupName],
    ...plain.filter((name) => !besides.includes(name)).map(told),
    [t('deviceDetail.fact.location'), place],
    [
      t('deviceDetail.fact.keepalive'),
      detail.keepalive !== null && t('deviceDetail.seconds', { shown: reader.number(detail.keepalive) }),
    ],
    [t('deviceDetail.fact.clock'), detail.clockOffset !== null && clockOffsetText(detail.clockOffset, t)],
    [reader.field('lastConnected'), time(detail.lastConnected) ?? t('deviceDetail.never')],
    [
      t('deviceDetail.fact.lastDisconnected'),
      detail.lastDisconnected && (
        <>
          {time(detail.lastDisconnected)}
          {detail.disconnectReason && ` · ${t(`device.presence.${detail.disconnectReason}`)}`}
        </>
      ),
    ],
    [reader.field('description'), row.description],
    [reader.field('createTime'), time(row.createTime)],
  ]
  return (
    <section className="card facts-card" data-old={away}>
      <h2>{t('deviceDetail.identity')}</h2>
      <dl className="facts">
        {facts.flatMap(([label, value]) =>
          value ? (
            <div key={label}>
              <dt>{label}</dt>
              <dd>{value}</dd>
            </div>
          ) : (
            []
          ),
        )}
      </dl>
    </section>
  )
}
