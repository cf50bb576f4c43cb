import { uploadPurposes } from '@campanile/contract/file'
import type { Row } from '@campanile/contract/kit'
import { customResource, downloadResource } from '@campanile/contract/resource'
import { useNavigate } from 'react-router'
import { calls, ListScreen, saveBlob, sizeText, useReader, useResourceList } from '../../kit/index.ts'
import { showError } from '../../shell/feedback.ts'
import { usePermission } from '../../shell/permissions.ts'

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
  return (
    <ListScreen
      resource={customResource}
      list={list}
      cells={{ size: ({ size }: Resource) => sizeText(size, reader) }}
      more={[{ label: 'customResource.action.uploadMany', shown: mayUpload, run: () => navigate('/custom/upload') }]}
      rowButtons={[{ label: 'customResource.action.download', run: download }]}
    />
  )
}
