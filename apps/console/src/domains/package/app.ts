import type { Endpoint } from '@campanile/contract/kit'
import { calls, saveBlob } from '../../kit/index.ts'
import { showError } from '../../shell/feedback.ts'
import { releaseItem } from '../release/pickers.tsx'

interface AppRow {
  readonly id: number
  readonly appName: string
  readonly version: string
}

export const itemOf = ({ id, appName, version }: AppRow) => ({ id, name: appName, version })

export const releaseApp = (row: AppRow) => releaseItem({ kind: 'app', item: itemOf(row) })

/** Saves the file of an app, asked for as the list lets one. */
export const downloadBy =
  (endpoint: Endpoint) =>
  async ({ id, appName, version }: AppRow) => {
    try {
      const name = `${appName} ${version}.apk`
      const { blob, fileName } = await calls.download(endpoint, { id }, name)
      saveBlob(blob, fileName ?? name)
    } catch (error) {
      showError(error)
    }
  }
