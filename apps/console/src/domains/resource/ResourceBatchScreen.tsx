import { customResource } from '@campanile/contract/resource'
import { useTranslation } from 'react-i18next'
import { BatchRelease } from '../release/marks.tsx'

const items = {
  resource: customResource,
  by: 'name',
  read: ({ id, name }: { readonly id: number; readonly name: string }) => ({ id, name }),
}

/** One file to devices that are gathered here. */
export default function ResourceBatchScreen() {
  const { t } = useTranslation()
  return <BatchRelease kind="resource" purpose="custom" title={t('menu.entry.resourceBatch')} items={items} />
}
