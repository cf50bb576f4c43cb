import { devicesMax } from '@campanile/contract/device'
import { useState } from 'react'
import { readStored, writeStored } from '../../../shell/storage.ts'

/** What devices are gathered for; each has its own. */
export type SelectionPurpose = 'batch' | 'apk' | 'appRelease' | 'ota' | 'custom'

/** What was chosen stays in this window until it is cleared, whatever is looked at meanwhile (behaviour: console.batch-stays). */
export const useSelection = (purpose: SelectionPurpose) => {
  const shelf = `session.selection.${purpose}`
  const [sns, setSns] = useState<readonly string[]>(() => {
    const stored = readStored('tab', shelf)
    return Array.isArray(stored) ? stored.filter((each) => typeof each === 'string') : []
  })
  const choose = (next: readonly string[]) => {
    setSns(next)
    writeStored('tab', shelf, next.length > 0 ? next : undefined)
  }
  return {
    sns,
    tooMany: sns.length > devicesMax,
    add: (more: readonly string[]) => choose([...new Set([...sns, ...more])]),
    remove: (gone: ReadonlySet<string>) => choose(sns.filter((sn) => !gone.has(sn))),
    clear: () => choose([]),
  }
}
export type Selection = ReturnType<typeof useSelection>
