import type { Row } from '@campanile/contract/kit'
import { appRelease, downloadStoreApp, storeApp } from '@campanile/contract/package'
import { ListScreen, sizeText, usePermitted, useReader, useResourceList } from '../../kit/index.ts'
import { downloadBy, releaseApp } from './app.ts'

const download = downloadBy(downloadStoreApp)

/** What everybody offers, and what was permitted to one's own enterprise. */
export default function StoreScreen() {
  const list = useResourceList(storeApp)
  const reader = useReader(storeApp)
  const mayRelease = usePermitted(appRelease.perms.release)
  return (
    <ListScreen
      resource={storeApp}
      list={list}
      cells={{ size: ({ size }: Row<typeof storeApp>) => sizeText(size, reader) }}
      rowButtons={[
        { label: 'releaseDetail.release', shown: () => mayRelease, run: releaseApp },
        { label: 'storeApp.action.download', run: download },
      ]}
    />
  )
}
