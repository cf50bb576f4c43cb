import { firmware } from '@campanile/contract/firmware'
import { useTranslation } from 'react-i18next'
import { BatchRelease } from '../release/marks.tsx'
import { itemOf } from './item.ts'

const items = { resource: firmware, by: 'name', read: itemOf }

/** One package to devices that are gathered here. */
export default function FirmwareBatchScreen() {
  const { t } = useTranslation()
  return <BatchRelease kind="firmware" purpose="ota" title={t('menu.entry.firmwareBatch')} items={items} />
}
