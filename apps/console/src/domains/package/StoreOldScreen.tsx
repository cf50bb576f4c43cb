import type { Row } from '@campanile/contract/kit'
import { appRelease, downloadStoreApp, storeApp, storeAppOld } from '@campanile/contract/package'
import { ListScreen, sizeText, usePermitted, useReader, useResourceList } from '../../kit/index.ts'
import { downloadBy, releaseApp } from './app.ts'

const download = downloadBy(downloadStoreApp)

/** The store as a plain table. */
export default function StoreOldScreen() {
  const list = useResourceList(storeAppOld)
  const reader = useReader(storeAppOld)
  const mayRelease = usePermitted(appRelease.perms.release)
  const mayDownload = usePermitted(storeApp.perms.list)
  return (
    <ListScreen
      resource={storeAppOld}
      list={list}
      cells={{ size: ({ size }: Row<typeof storeAppOld>) => sizeText(size, reader) }}
      rowButtons={[
        { label: 'releaseDetail.release', shown: () => mayRelease, run: releaseApp },
        { label: 'storeAppOld.action.download', shown: () => mayDownload, run: download },
      ]}
    />
  )
}
