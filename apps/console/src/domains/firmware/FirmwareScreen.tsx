import { downloadFirmware, firmware, firmwareRelease } from '@campanile/contract/firmware'
import type { Row } from '@campanile/contract/kit'
import { useMemo } from 'react'
import { calls, ListScreen, saveBlob, sizeText, usePermitted, useReader, useResourceList } from '../../kit/index.ts'
import { showError } from '../../shell/feedback.ts'
import { releaseItem } from '../release/pickers.tsx'
import { itemOf } from './item.ts'

type Firmware = Row<typeof firmware>

const download = async ({ id, name }: Firmware) => {
  try {
    const { blob, fileName } = await calls.download(downloadFirmware, { id }, name)
    saveBlob(blob, fileName ?? name)
  } catch (error) {
    showError(error)
  }
}

/** Versions of the systems of devices, released wave by wave. */
export default function FirmwareScreen() {
  const list = useResourceList(firmware)
  const reader = useReader(firmware)
  const mayRelease = usePermitted(firmwareRelease.perms.release)
  const mayDownload = usePermitted(downloadFirmware.perm)
  const cells = useMemo(() => ({ size: ({ size }: Firmware) => sizeText(size, reader) }), [reader])
  return (
    <ListScreen
      resource={firmware}
      list={list}
      cells={cells}
      rowButtons={[
        {
          label: 'releaseDetail.release',
          shown: () => mayRelease,
          run: (row) => releaseItem({ kind: 'firmware', item: itemOf(row) }),
        },
        { label: 'firmware.action.download', shown: () => mayDownload, run: download },
      ]}
    />
  )
}
