import { release } from '@campanile/contract/release'
import { Button } from 'antd'
import { DeviceLink } from '../../../kit/DeviceLink.tsx'
import { SoftTag, useReader } from '../../../kit/index.ts'
import type { Detail } from './story.ts'

const named = 6

interface Props {
  detail: Detail
  onShow: (reason: string) => void
  /** Absent where nobody may, or nothing can be tried again. */
  onRetry: ((reason: string) => void) | undefined
}

/** Why devices failed, the most frequent first, each with its devices and its way out. */
export function ReasonsCard({ detail: { reasons, row }, onShow, onRetry }: Props) {
  const reader = useReader(release)
  const { t } = reader
  return (
    <section className="card" aria-label={t('releaseDetail.reasons')}>
      <div className="card-head">
        <h2>{t('releaseDetail.reasons')}</h2>
        {row.failed > 0 && (
          <span className="quiet">
            {[
              t('releaseDetail.reasonsSub', { count: row.failed, shown: reader.number(row.failed) }),
              t('releaseDetail.hint.failed', { count: reasons.length }),
            ].join(t('kit.value.comma'))}
          </span>
        )}
      </div>
      {reasons.length === 0 && <p className="card-empty">{t('releaseDetail.noReasons')}</p>}
      {reasons.map(({ reason, detail, count, sns }, at) => {
        const words = reader.maybe(`releaseDevice.fault.${reason}`) ?? reason
        return (
          <details key={reason} className="reason" open={at === 0}>
            <summary>
              <strong>{words}</strong> <SoftTag tone="bad">{reader.number(count)}</SoftTag>
            </summary>
            {detail !== null && <p className="quiet">{detail}</p>}
            <p className="reason-serials">
              {sns.slice(0, named).map((sn) => (
                <DeviceLink key={sn} sn={sn} />
              ))}
              {count > named && <span className="quiet">+{reader.number(count - Math.min(named, sns.length))}</span>}
            </p>
            <p className="reason-buttons">
              <Button size="small" onClick={() => onShow(reason)}>
                {t('releaseDetail.see')}
              </Button>
              {onRetry && (
                <Button size="small" onClick={() => onRetry(reason)}>
                  {t('releaseDetail.retryThese')}
                </Button>
              )}
            </p>
          </details>
        )
      })}
    </section>
  )
}
