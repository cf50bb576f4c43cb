import { settingHistory } from '@campanile/contract/command'
import { useTranslation } from 'react-i18next'
import { SoftTag } from '../../../kit/index.ts'
import { ItemValue, useItemName } from '../../command/marks.tsx'
import { PageTable } from '../PageTable.tsx'

const tones = { waiting: 'accent', success: 'good', failed: 'bad' } as const

/** Every setting that was pushed to this device, and whether it took it. */
export function SettingsTab({ deviceId }: { deviceId: number }) {
  const { t } = useTranslation()
  const nameOf = useItemName()
  return (
    <PageTable
      resource={settingHistory}
      fixed={{ deviceId }}
      columns={['createTime', 'settingName', 'version', 'item', 'oldValue', 'newValue', 'result', 'creatorName']}
      sort="-createTime"
      empty={t('deviceDetail.noSettings')}
      cells={{
        item: ({ item }) => nameOf(item),
        oldValue: ({ item, oldValue }) => <ItemValue item={item} value={oldValue} />,
        newValue: ({ item, newValue }) => <ItemValue item={item} value={newValue} />,
        result: ({ result }) => <SoftTag tone={tones[result]}>{t(`settingHistory.option.result.${result}`)}</SoftTag>,
      }}
    />
  )
}
