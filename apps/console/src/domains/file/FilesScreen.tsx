import { downloadFile, exportFile } from '@campanile/contract'
import { Progress } from 'antd'
import { ListScreen, StateMark, sizeText, useReader, useResourceList } from '../../kit/index.ts'
import { usePermission } from '../../shell/permissions.ts'
import { download } from './pickers.tsx'

const tones = { inProgress: 'accent', complete: 'good', abnormal: 'bad' } as const
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
      cells={{
        state: ({ state, progress }) => (
          <>
            <StateMark tone={tones[state]}>{reader.option('state', state)}</StateMark>
            {state === 'inProgress' && progress !== null && (
              <Progress className="state-progress" percent={progress} size="small" />
            )}
          </>
        ),
        size: ({ size }) => (size === null ? '–' : sizeText(size, reader)),
      }}
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
