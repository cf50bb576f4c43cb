import { useTranslation } from 'react-i18next'
import { ItemValue, useItemName } from './ItemValue.tsx'
import { type Detail, itemLines } from './settingValues.ts'

/** What the newest version says beside what was before, and where it comes from. */
export function ItemsCard({ detail }: { detail: Detail }) {
  const { t } = useTranslation()
  const nameOf = useItemName()
  const lines = itemLines(detail)
  return (
    <section className="card" aria-label={t('deviceSetting.detail.items')}>
      <h2>{t('deviceSetting.detail.items')}</h2>
      {lines.length === 0 ? (
        <p className="card-empty">{t('deviceSetting.detail.noItems')}</p>
      ) : (
        <div className="setting-table">
          <table className="plain-table">
            <thead>
              <tr>
                {(['item', 'before', 'now', 'source'] as const).map((column) => (
                  <th key={column} scope="col">
                    {t(`deviceSetting.detail.${column}`)}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {lines.map(({ item, before, now, since }) => (
                <tr key={item}>
                  <th scope="row">{nameOf(item)}</th>
                  <td>
                    <ItemValue item={item} value={before} />
                  </td>
                  <td>
                    <ItemValue item={item} value={now} />
                  </td>
                  <td className="quiet">
                    {since &&
                      t('deviceSetting.detail.since', { version: since.version, name: since.creatorName ?? '–' })}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  )
}
