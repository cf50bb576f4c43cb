import { useTranslation } from 'react-i18next'
import { ItemValue, useItemName } from './ItemValue.tsx'
import { type Detail, itemLines } from './settingValues.ts'
import { TableCard } from './TableCard.tsx'

/** What the newest version says beside what was before, and where it comes from. */
export function ItemsCard({ detail }: { detail: Detail }) {
  const { t } = useTranslation()
  const nameOf = useItemName()
  return (
    <TableCard
      name="items"
      columns={['item', 'before', 'now', 'source']}
      empty={t('deviceSetting.detail.noItems')}
      rows={itemLines(detail).map(({ item, before, now, since }) => (
        <tr key={item}>
          <th scope="row">{nameOf(item)}</th>
          <td>
            <ItemValue item={item} value={before} />
          </td>
          <td>
            <ItemValue item={item} value={now} />
          </td>
          <td className="quiet">
            {since && t('deviceSetting.detail.since', { version: since.version, name: since.creatorName ?? '–' })}
          </td>
        </tr>
      ))}
    />
  )
}
