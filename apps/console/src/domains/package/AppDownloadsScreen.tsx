import type { Row } from '@campanile/contract/kit'
import { appDownload } from '@campanile/contract/package'
import { useMemo } from 'react'
import { ListScreen, SoftTag, useReader, useResourceList } from '../../kit/index.ts'
import { reasonText } from '../release/marks.tsx'

type Download = Row<typeof appDownload>

/** Who fetched which app, and which devices could not. */
export default function AppDownloadsScreen() {
  const list = useResourceList(appDownload)
  const reader = useReader(appDownload)
  const cells = useMemo(
    () => ({
      result: ({ result }: Download) => (
        <SoftTag tone={result === 'success' ? 'good' : 'bad'}>{reader.option('result', result)}</SoftTag>
      ),
      reason: ({ reason }: Download) => reasonText({ reason, detail: null }, reader),
    }),
    [reader],
  )
  return <ListScreen resource={appDownload} list={list} cells={cells} />
}
