import { exportFile } from '@campanile/contract/file'
import type { Row } from '@campanile/contract/kit'
import { downloadFile } from '@campanile/contract/system'
import { Button } from 'antd'
import { DetailDrawer } from '../../kit/DetailDrawer.tsx'
import { useReader } from '../../kit/index.ts'
import { usePermission } from '../../shell/permissions.ts'
import { fileCells } from './fileCells.tsx'
import { download } from './pickers.tsx'

/** What is known of a file, and the file itself. */
export function FileDetail({ row, onClose }: { row: Row<typeof exportFile>; onClose: () => void }) {
  const reader = useReader(exportFile)
  const mayDownload = usePermission(downloadFile.perm)
  return (
    <DetailDrawer resource={exportFile} row={row} cells={fileCells(reader) as never} onClose={onClose}>
      {mayDownload && row.state === 'complete' && (
        <div className="drawer-buttons">
          <Button type="primary" onClick={() => void download(row)}>
            {reader.t('exportFile.action.download')}
          </Button>
        </div>
      )}
    </DetailDrawer>
  )
}
