import type { Resource } from '@campanile/contract/kit'
import type { BatchKind } from '@campanile/contract/release'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Labelled } from '../../../kit/form/Labelled.tsx'
import { readStored, writeStored } from '../../../shell/storage.ts'
import type { SelectionPurpose } from '../../device/pickers.tsx'
import type { Releasing } from '../releaseItem.tsx'
import { ItemSelect } from './ItemSelect.tsx'
import { ReleasePage } from './ReleasePage.tsx'

type Item = Releasing['item']

export interface BatchReleaseProps {
  kind: BatchKind
  purpose: SelectionPurpose
  title: string
  /** The list that an item is chosen from, by which field it is looked for, and what a row is as an item. */
  items: { readonly resource: Resource; readonly by: string; readonly read: (row: never) => Item }
}

const isItem = (stored: unknown): stored is Item => typeof stored === 'object' && stored !== null && 'id' in stored

/** One item to many devices that are gathered here and stay until they are cleared. */
export function BatchRelease({ kind, purpose, title, items }: BatchReleaseProps) {
  const { t } = useTranslation()
  const id = useId()
  const shelf = `session.selection.${purpose}.item`
  const [item, setItem] = useState<Item | undefined>(() => {
    const stored = readStored('tab', shelf)
    return isItem(stored) ? stored : undefined
  })
  const choose = (next: Item | undefined) => {
    setItem(next)
    writeStored('tab', shelf, next)
  }
  return (
    <ReleasePage kind={kind} purpose={purpose} title={title} item={item} batch>
      {(wanted) => (
        <section className="card release-item">
          <Labelled
            id={id}
            label={t(`release.option.kind.${kind}`)}
            required
            error={wanted && !item ? t('releaseBatch.itemWanted') : undefined}
          >
            {(state) => <ItemSelect {...items} {...state} value={item} onChange={choose} />}
          </Labelled>
        </section>
      )}
    </ReleasePage>
  )
}
