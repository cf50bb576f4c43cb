import { useState } from 'react'
import { notify, showError } from '../../shell/feedback.ts'
import { calls } from '../calls.ts'
import { filterTexts } from '../list/listState.ts'
import { countSelected } from '../list/selection.ts'
import type { ResourceList } from '../list/useResourceList.ts'

/** Exports what is on screen: the current filters and visible columns, or the chosen rows (flag 1). */
export const useExport = (list: ResourceList, columns: readonly string[]) => {
  const [running, setRunning] = useState(false)
  const run = async () => {
    setRunning(true)
    try {
      const held = list.selection.get()
      const chosen = countSelected(held, list.total) > 0
      const answer = await calls.export(list.resource, {
        ...(held.kind === 'some' && chosen ? { flag: 1, ids: [...held.ids] } : { flag: 0 }),
        // Also with chosen rows: those that are sums are sums of what is filtered.
        filters: filterTexts(list.asked),
        ...(held.kind === 'all' && held.except.size > 0 ? { except: [...held.except] } : {}),
        columns: [...columns],
        sort: list.state.sort,
        // Times in the sheet are the reader's.
        timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
      })
      notify.export({ fileName: answer.fileName })
    } catch (error) {
      showError(error)
    } finally {
      setRunning(false)
    }
  }
  return { running, run }
}
