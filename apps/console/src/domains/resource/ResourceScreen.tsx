import { uploadPurposes } from '@campanile/contract/file'
import type { Row } from '@campanile/contract/kit'
import { customResource, downloadResource, linkResource, resourceRelease } from '@campanile/contract/resource'
import { useNavigate } from 'react-router'
import { copyText } from '../../kit/CopyButton.tsx'
import { calls, ListScreen, saveBlob, sizeText, usePermitted, useReader, useResourceList } from '../../kit/index.ts'
import { timeText } from '../../kit/time.ts'
import { apiBase } from '../../shell/apiBase.ts'
import { showError, toast } from '../../shell/feedback.ts'
import { usePermission } from '../../shell/permissions.ts'
import { releaseItem } from '../release/pickers.tsx'

type Resource = Row<typeof customResource>

const download = async ({ id, fileName }: Resource) => {
  try {
    const { blob, fileName: told } = await calls.download(downloadResource, { id }, fileName)
    saveBlob(blob, told ?? fileName)
  } catch (error) {
    showError(error)
  }
}

/** Files with a name that are brought to devices; each can be saved from its row. */
export default function ResourceScreen() {
  const reader = useReader(customResource)
  const list = useResourceList(customResource)
  const navigate = useNavigate()
  const mayUpload = usePermission(uploadPurposes.resource.perm)
  const mayRelease = usePermitted(resourceRelease.perms.release)
  const copyLink = async ({ id }: Resource) => {
    try {
      const { url, until } = await calls.call(linkResource, { id })
      await copyText(new URL(url, apiBase).href)
      toast.success(reader.t('customResource.linkCopied', { time: timeText(new Date(until)) }))
    } catch (error) {
      showError(error)
    }
  }
  return (
    <ListScreen
      resource={customResource}
      list={list}
      cells={{ size: ({ size }: Resource) => sizeText(size, reader) }}
      more={[{ label: 'customResource.action.uploadMany', shown: mayUpload, run: () => navigate('/custom/upload') }]}
      rowButtons={[
        {
          label: 'releaseDetail.release',
          shown: () => mayRelease,
          run: ({ id, name }) => releaseItem({ kind: 'resource', item: { id, name } }),
        },
        { label: 'customResource.action.download', run: download },
        { label: 'customResource.action.copyLink', run: copyLink },
      ]}
    />
  )
}
