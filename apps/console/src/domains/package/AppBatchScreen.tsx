import { appPackage } from '@campanile/contract/package'
import { useTranslation } from 'react-i18next'
import { BatchRelease } from '../release/marks.tsx'
import { itemOf } from './app.ts'

const items = { resource: appPackage, by: 'appName', read: itemOf }

/** One app to devices that are gathered here. */
export default function AppBatchScreen() {
  const { t } = useTranslation()
  return <BatchRelease kind="app" purpose="apk" title={t('menu.entry.appBatch')} items={items} />
}
