import { downloadFile } from '@campanile/contract/system'
import { notify, showError } from '../../shell/feedback.ts'
import { calls } from '../calls.ts'
import type { Reader } from '../reader.ts'
import { saveBlob } from './saveBlob.ts'

/** Rows of a file that failed, with their reasons; where they cannot be fetched now, the way to where they lie. */
export const downloadFailed = async (id: number, reader: Reader) => {
  try {
    const { blob, fileName } = await calls.download(downloadFile, { id })
    saveBlob(blob, fileName ?? 'failed.xlsx')
  } catch (error) {
    showError(error)
    notify.offer(reader.t('kit.import.inFiles'), { label: reader.t('kit.import.openFiles'), to: '/IOT/files/list' })
  }
}
