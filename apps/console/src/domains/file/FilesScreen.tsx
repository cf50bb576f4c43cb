import { exportFile } from '@campanile/contract/file'
import { downloadFile } from '@campanile/contract/system'
import { ListScreen, useReader, useResourceList } from '../../kit/index.ts'
import { later } from '../../shell/later.tsx'
import { usePermission } from '../../shell/permissions.ts'
import { fileCells } from './fileCells.tsx'
import { download } from './pickers.tsx'

const FileDetail = later(async () => (await import('./FileDetail.tsx')).FileDetail)
const watchMs = 2_000

/** Every file somebody asked for. While one is being made the list watches it. */
export default function FilesScreen() {
  const reader = useReader(exportFile)
  const mayDownload = usePermission(downloadFile.perm)
  const list = useResourceList(exportFile, {
    refreshEvery: (rows) => (rows.some((row) => row.state === 'inProgress') ? watchMs : false),
  })
  return (
    <ListScreen
      resource={exportFile}
      list={list}
      cells={fileCells(reader)}
      detail={FileDetail}
      rowButtons={[
        {
          label: 'exportFile.action.download',
          shown: ({ state }) => mayDownload && state === 'complete',
          run: download,
        },
      ]}
    />
  )
}
