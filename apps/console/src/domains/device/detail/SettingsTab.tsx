import { settingHistory } from '@campanile/contract'
import { useTranslation } from 'react-i18next'
import { SoftTag } from '../../../kit/index.ts'
import { PageTable } from '../PageTable.tsx'

const tones = { waiting: 'accent', success: 'good', failed: 'bad' } as const

/** Every setting that was pushed to this device, and whether it took it. */
export function SettingsTab({ deviceId }: { deviceId: number }) {
  const { t } = useTranslation()
  return (
    <PageTable
      resource={settingHistory}
      fixed={{ deviceId }}
      columns={['createTime', 'item', 'oldValue', 'newValue', 'result', 'creatorName']}
      sort="-createTime"
      empty={t('deviceDetail.noSettings')}
      cells={{
        result: ({ result }) => <SoftTag tone={tones[result]}>{t(`settingHistory.option.result.${result}`)}</SoftTag>,
      }}
    />
  )
}
