import { Fragment, type ReactNode, useEffect } from 'react'
import { create } from 'zustand'
import { showError } from '../feedback.ts'
import { placeNow } from './place.ts'
import { formsThatCameBack } from './unsaved.ts'

interface Opened {
  readonly id: number
  readonly tab: string
  readonly draw: (close: () => void) => ReactNode
}

const useOpened = create<{ opened: readonly Opened[] }>(() => ({ opened: [] }))
let last = 0

const close = (id: number) => useOpened.setState(({ opened }) => ({ opened: opened.filter((each) => each.id !== id) }))

/**
 * Opens something over the tab in front, from wherever it is asked for: a list, the palette, a shortcut. It stays with that
 * tab, behind another one too, until it is closed. Give it what comes `later`.
 */
export function openOver(draw: Opened['draw'], tab = placeNow()?.path.split('?')[0] ?? ''): void {
  last += 1
  const id = last
  useOpened.setState(({ opened }) => ({ opened: [...opened, { id, tab, draw }] }))
}

/** What was opened over one tab. */
export function OverTab({ tabKey }: { tabKey: string }) {
  useEffect(() => {
    const forms = formsThatCameBack(tabKey).filter((form) => form.startsWith('over.'))
    if (forms.length > 0) void import('./reopenOver.ts').then((code) => code.reopenOver(tabKey, forms)).catch(showError)
  }, [tabKey])
  const opened = useOpened((state) => state.opened)
  return opened
    .filter(({ tab }) => tab === tabKey)
    .map(({ id, draw }) => <Fragment key={id}>{draw(() => close(id))}</Fragment>)
}
