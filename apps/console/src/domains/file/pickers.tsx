import { downloadFile } from '@campanile/contract/system'
import { Button } from 'antd'
import { calls, saveBlob } from '../../kit/index.ts'
import { showError } from '../../shell/feedback.ts'
import { usePermission } from '../../shell/permissions.ts'

export const download = async ({ id, name }: { id: number; name: string }) => {
  try {
    const { blob, fileName } = await calls.download(downloadFile, { id }, name)
    saveBlob(blob, fileName ?? name)
  } catch (error) {
    showError(error)
  }
}

/** A file of ours by its name: a click saves it, for who may; a dash where there is none. */
export function FileLink({ id, name }: { id: number | null; name: string | null }) {
  const mayDownload = usePermission(downloadFile.perm)
  if (id === null || name === null) return '–'
  if (!mayDownload) return name
  return (
    <Button type="link" size="small" onClick={() => void download({ id, name })}>
      {name}
    </Button>
  )
}
