import { deviceSetting } from '@campanile/contract/command'
import { Button } from 'antd'
import { SoftTag, Time, useReader } from '../../../kit/index.ts'
import { useItemName } from './ItemValue.tsx'
import type { Detail } from './settingValues.ts'
import { useRollBack } from './useRollBack.ts'

/** Every version there was; each can become the newest again. */
export function VersionsCard({ detail: { id, version, versions } }: { detail: Detail }) {
  const reader = useReader(deviceSetting)
  const { t } = reader
  const nameOf = useItemName()
  const rollBack = useRollBack(id)
  if (versions.length === 0) return null
  return (
    <section className="card" aria-label={t('deviceSetting.detail.versions')}>
      <h2>{t('deviceSetting.detail.versions')}</h2>
      <ul className="card-rows setting-versions">
        {versions.map((each) => (
          <li key={each.version}>
            <span>
              {t('deviceSetting.detail.version', { version: each.version })}{' '}
              {each.version === version && <SoftTag tone="accent">{t('deviceSetting.detail.current')}</SoftTag>}
              <span className="quiet">
                {' '}
                {Object.entries(each.items)
                  .map(([item, value]) => `${nameOf(item)} ${value}`)
                  .join(' · ')}
              </span>
            </span>
            <span className="quiet">
              {each.creatorName ?? '–'} · <Time value={each.createTime} reader={reader} />
            </span>
            {rollBack.permitted && each.version !== version && (
              <Button
                size="small"
                aria-label={t('deviceSetting.detail.rollBackTo', { version: each.version })}
                onClick={() => rollBack.to(each.version)}
              >
                {t('deviceSetting.action.rollBack')}
              </Button>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}
